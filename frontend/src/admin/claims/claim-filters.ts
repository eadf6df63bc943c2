/** The filters of the claims list as the address holds them; an empty one lets everything through. */
export type ClaimFilterState = { buyer: string; order: string; status: string; search: string };

export const FILTER_DEFAULTS: ClaimFilterState = { buyer: '', order: '', status: '', search: '' };
