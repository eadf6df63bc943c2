import {
  IconAddressBook,
  IconAlertTriangle,
  IconChartBar,
  IconClockHour4,
  IconFlask,
  IconHistory,
  IconInbox,
  IconLayoutDashboard,
  IconSend,
  IconSettings,
  IconUserPlus,
  IconUserSearch,
  IconUsers,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useLocation } from 'wouter';
import type { RestrictedId } from '#shared/contract/roles';
import { useMay } from '../data/rights';

export interface Screen {
  readonly path: string;
  readonly title: string;
  /** If it is not the title. */
  readonly menu?: string;
  /** The call without which it is not shown; otherwise every role has the screen. */
  readonly needs?: RestrictedId;
  readonly icon: ComponentType<{ size?: number }>;
  /** The single key that leads here. */
  readonly key?: string;
  /** The figure of the dashboard that the menu shows next to the entry. */
  readonly badge?: {
    readonly stat: 'ineligible_leads_count' | 'pending_reclamations_count' | 'failed_deliveries_count';
    readonly tone: 'wait' | 'bad';
    readonly what: string;
  };
}

/** The menu entries of the daily work, in order. */
export const DAILY_SCREENS: readonly Screen[] = [
  { path: '/dashboard', title: 'Dashboard', key: 'd', icon: IconLayoutDashboard },
  { path: '/dashboard/leads', title: 'Leads', icon: IconAddressBook },
  {
    path: '/dashboard/ineligible-leads',
    title: 'Pending Leads',
    key: 'p',
    icon: IconClockHour4,
    badge: { stat: 'ineligible_leads_count', tone: 'bad', what: 'pending leads' },
  },
  {
    path: '/dashboard/claimed-leads',
    title: 'All Claims',
    menu: 'Claimed Leads',
    key: 'c',
    icon: IconAlertTriangle,
    badge: { stat: 'pending_reclamations_count', tone: 'wait', what: 'pending claims' },
  },
  { path: '/dashboard/sources', title: 'Sources', icon: IconInbox },
  {
    path: '/dashboard/create-lead',
    title: 'Create New Lead',
    menu: 'Create Lead',
    needs: 'createLead',
    key: 'l',
    icon: IconUserPlus,
  },
  { path: '/dashboard/stats', title: 'Buyer Statistics', key: 's', icon: IconChartBar },
  { path: '/dashboard/settings', title: 'Settings', key: 'e', needs: 'saveCompany', icon: IconSettings },
];

/** The entries of the group below them. */
export const MORE_SCREENS: readonly Screen[] = [
  { path: '/dashboard/simulate', title: 'What-if Simulator', menu: 'What-if', key: 'w', icon: IconFlask },
  {
    path: '/dashboard/deliveries',
    title: 'Deliveries',
    key: 'v',
    icon: IconSend,
    badge: { stat: 'failed_deliveries_count', tone: 'bad', what: 'failed deliveries' },
  },
  { path: '/dashboard/audit', title: 'Audit Trail', key: 'a', icon: IconHistory },
  { path: '/dashboard/people', title: 'People', menu: 'Data requests', icon: IconUserSearch },
  { path: '/dashboard/admins', title: 'Admins', icon: IconUsers },
];

/** Ctrl+K and the single keys open the same screens as the menu. */
export const SCREENS: readonly Screen[] = [...DAILY_SCREENS, ...MORE_SCREENS];

/** @returns whether the admin's role has the screen of an address */
export function useMayOpen(): (path: string) => boolean {
  const may = useMay();
  return (path) => {
    const needs = SCREENS.find((screen) => screen.needs !== undefined && path.startsWith(screen.path))?.needs;
    return needs === undefined || may(needs);
  };
}

/** The address of the screen: without its section or tab, or a slash at the end. */
export const useScreenPath = (): string =>
  useLocation()[0].replace(/(\/(?:settings|stats|buyers\/[^/]+))\/.*|\/$/, '$1');

/** The title of a screen; that of a buyer has its ID. */
export const titleOf = (screen: string): string =>
  SCREENS.find(({ path }) => path === screen)?.title ??
  screen.replace(/.*\/buyers\//, 'Buyer ').replace(/^\/.*/, 'Lead');
