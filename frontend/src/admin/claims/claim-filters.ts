/** The filters of the claims list as in the URL; an empty one matches everything. */
export type ClaimFilterState = { buyer: string; order: string; status: string; search: string };

/** In the order of the field; the first matches everything. */
export const STATUS_FILTERS = [
  { value: '', label: 'All Statuses' },
  { value: 'pending', label: 'Pending' },
  { value: 'approved', label: 'Approved' },
  { value: 'rejected', label: 'Rejected' },
  { value: 'pending,approved', label: 'Pending + Approved' },
] as const;

export const FILTER_DEFAULTS: ClaimFilterState = { buyer: '', order: '', status: '', search: '' };
