/** The lazy imports of every page, the only place that knows all apps. */
import type { ComponentType } from 'react';

export const loadLoginPage = async () => (await import('./login/LoginPage')).LoginPage;
export const loadInvitationPage = async () => (await import('./login/InvitationPage')).InvitationPage;
export const loadPasskeySetupPage = async () => (await import('./login/PasskeySetupPage')).PasskeySetupPage;
export const loadSessionDialog = async () => (await import('./login/SessionDialog')).SessionDialog;
export const loadLeadListPage = async () => (await import('./buyer/LeadListPage')).LeadListPage;
export const loadErasurePage = async () => (await import('./buyer/ErasurePage')).ErasurePage;
export const loadConsentLinkPage = async () => (await import('./buyer/ConsentLinkPage')).ConsentLinkPage;
export const loadUnsubscribePage = async () => (await import('./buyer/UnsubscribePage')).UnsubscribePage;
export const loadProofPage = async () => (await import('./buyer/ProofPage')).ProofPage;
export const loadSpecificationPage = async () =>
  (await import('./specification/SpecificationPage')).SpecificationPage;
export const loadStatusPage = async () => (await import('./status/StatusPage')).StatusPage;
export const loadApiDocsPage = async () => (await import('./admin/api-docs/ApiDocsPage')).ApiDocsPage;

export const loadAdminApp = async () => (await import('./admin/AdminApp')).AdminApp;
const loadLeadPage = async () => (await import('./admin/lead/LeadPage')).LeadPage;
const loadBuyerPage = async () => (await import('./admin/buyer-page/BuyerPage')).BuyerPage;

export const SCREEN_CODE: Readonly<Record<string, () => Promise<ComponentType>>> = {
  '/dashboard': async () => (await import('./admin/dashboard/DashboardPage')).DashboardPage,
  '/dashboard/ineligible-leads': async () =>
    (await import('./admin/pending-leads/PendingLeadsPage')).PendingLeadsPage,
  '/dashboard/claimed-leads': async () => (await import('./admin/claims/ClaimsPage')).ClaimsPage,
  '/dashboard/create-lead': async () => (await import('./admin/create-lead/CreateLeadPage')).CreateLeadPage,
  '/dashboard/stats': async () => (await import('./admin/statistics/StatisticsPage')).StatisticsPage,
  '/dashboard/settings': async () => (await import('./admin/settings/SettingsPage')).SettingsPage,
  '/dashboard/leads': async () => (await import('./admin/leads/LeadsPage')).LeadsPage,
  '/dashboard/leads/:leadId': loadLeadPage,
  '/dashboard/buyers/:buyerId': loadBuyerPage,
  '/dashboard/deliveries': async () => (await import('./admin/deliveries/DeliveriesPage')).DeliveriesPage,
  '/dashboard/audit': async () => (await import('./admin/audit/AuditPage')).AuditPage,
  '/dashboard/admins': async () => (await import('./admin/admins/AdminsPage')).AdminsPage,
  '/dashboard/sources': async () => (await import('./admin/sources/SourcesPage')).SourcesPage,
  '/dashboard/people': async () => (await import('./admin/people/PeoplePage')).PeoplePage,
  '/dashboard/simulate': async () => (await import('./admin/simulator/SimulatorPage')).SimulatorPage,
};

/** The app shows a failure when it needs the screen. */
export function prefetchScreen(path: string): void {
  // Without a section or tab.
  const screen = path.split('/', 3).join('/');
  const load = path.startsWith('/dashboard/leads/') ? loadLeadPage : (SCREEN_CODE[screen] ?? loadBuyerPage);
  for (const loadCode of [loadAdminApp, load]) loadCode().catch(() => {});
}
