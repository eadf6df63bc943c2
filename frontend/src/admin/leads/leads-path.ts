/** The address of the lead list. Apart from the filters' rules, so that screens with figures stay small. */
export const LEADS_PATH = '/dashboard/leads';

/** As in the address; an empty one matches every lead. */
export const NO_FILTER = {
  /** Relative to today, so that a bookmark stays current; the two days take precedence. */
  period: '',
  from: '',
  to: '',
  by: 'received',
  source: '',
  buyer_id: '',
  order_id: '',
  status: '',
  amount_from: '',
  amount_to: '',
  claim: '',
  consent: '',
  delivery: '',
  lead_type: '',
};
export type LeadFilter = Readonly<Record<keyof typeof NO_FILTER, string>>;

export const isName = (name: string): name is keyof LeadFilter => Object.hasOwn(NO_FILTER, name);

/** The list's address with a filter, to be shared or linked by a figure. */
export function leadsPath(filter: Partial<LeadFilter>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter))
    if (isName(name) && value !== NO_FILTER[name]) query.set(name, value);
  return query.size === 0 ? LEADS_PATH : `${LEADS_PATH}?${query}`;
}
