/** Who received a lead: the list behind both the information of a person and the erasure notices. */
import { assignmentOf } from '#functions/data/leads/lead';
import type { LeadDetails } from '#functions/data/leads/lead-store';
import type { RefusedAssignment } from '#functions/data/leads/refusals';

export type ReceivedLead = Pick<
  RefusedAssignment,
  'lead_id' | 'buyer' | 'order_id' | 'sequence' | 'assigned_at' | 'deliveries'
>;

/** Sorted by time. A buyer that refused a lead has received it too. */
export function receivedOf(details: Pick<LeadDetails, 'lead' | 'deliveries' | 'refusals'>): ReceivedLead[] {
  const { lead, deliveries, refusals } = details;
  const assignment = assignmentOf(lead);
  const own = assignment === undefined ? [] : [{ ...assignment, lead_id: lead.lead_id, deliveries }];
  return [...refusals, ...own];
}
