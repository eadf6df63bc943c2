/** The code of what is loaded ahead of its use: the pages, and the log-in over a screen. */

export const loadLoginPage = () => import('../login/LoginPage');
export const loadInvitationPage = () => import('../login/InvitationPage');
export const loadPasskeySetupPage = () => import('../login/PasskeySetupPage');
export const loadSessionDialog = () => import('../login/SessionDialog');
export const loadLeadListPage = () => import('../buyer/LeadListPage');
export const loadErasurePage = () => import('../buyer/ErasurePage');
export const loadUnsubscribePage = () => import('../buyer/UnsubscribePage');
export const loadSpecificationPage = () => import('../specification/SpecificationPage');
export const loadStatusPage = () => import('../status/StatusPage');

/** The frame of the admin's screens. */
export const loadAdminApp = () => import('../admin/AdminApp');
export const loadLeadPage = () => import('../admin/lead/LeadPage');

/** The admin's screens by their paths. */
export const SCREEN_CODE = {
  '/dashboard': () => import('../admin/dashboard/DashboardPage'),
  '/dashboard/ineligible-leads': () => import('../admin/pending-leads/PendingLeadsPage'),
  '/dashboard/claimed-leads': () => import('../admin/claims/ClaimsPage'),
  '/dashboard/create-lead': () => import('../admin/create-lead/CreateLeadPage'),
  '/dashboard/stats': () => import('../admin/statistics/StatisticsPage'),
  '/dashboard/settings': () => import('../admin/settings/SettingsPage'),
  '/dashboard/deliveries': () => import('../admin/deliveries/DeliveriesPage'),
  '/dashboard/audit': () => import('../admin/audit/AuditPage'),
  '/dashboard/admins': () => import('../admin/admins/AdminsPage'),
  '/dashboard/sources': () => import('../admin/sources/SourcesPage'),
  '/dashboard/people': () => import('../admin/people/PeoplePage'),
  '/dashboard/simulate': () => import('../admin/simulator/SimulatorPage'),
} as const;

/** Begins to load a screen and its frame; a failure shows when the app wants them. */
export function prefetchScreen(path: string): void {
  const screen = Object.entries(SCREEN_CODE).find(([known]) => known === path)?.[1] ?? loadLeadPage;
  for (const load of [loadAdminApp, screen]) load().catch(() => {});
}
