export const STATISTICS_PATH = '/dashboard/stats';
export const MISSED_LEADS_PATH = `${STATISTICS_PATH}/deliveries` as const;

/** The tabs of the statistics in order; each has its own address. */
export const STATISTICS_TABS = [
  { path: STATISTICS_PATH, title: 'Overview' },
  { path: MISSED_LEADS_PATH, title: 'Missed and delivery times' },
  { path: `${STATISTICS_PATH}/accounting`, title: 'Accounting' },
] as const;

/** In the URL. */
export const STATISTICS_DEFAULTS = {
  buyer: '',
  days: '30',
  from: '',
  to: '',
  sort: 'total_leads_received',
  dir: 'desc',
};

export interface TabProps {
  readonly state: typeof STATISTICS_DEFAULTS;
  readonly change: (change: Partial<typeof STATISTICS_DEFAULTS>) => void;
}
