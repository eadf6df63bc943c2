/** Who received a lead. What a person is told, and who is asked to erase it, follow from this one list. */
import { assignmentOf } from '#functions/data/leads/lead';
import type { LeadDetails } from '#functions/data/leads/lead-store';
import type { RefusedAssignment } from '#functions/data/leads/refusals';

/** One lead as one buyer received it. */
export type ReceivedLead = Pick<
  RefusedAssignment,
  'lead_id' | 'buyer' | 'order_id' | 'sequence' | 'assigned_at' | 'deliveries'
>;

/** In the order of time. A buyer that refused a lead has received it as well. */
export function receivedOf({
  lead,
  deliveries,
  refusals,
}: Pick<LeadDetails, 'lead' | 'deliveries' | 'refusals'>): ReceivedLead[] {
  const assignment = assignmentOf(lead);
  const own = assignment === undefined ? [] : [{ ...assignment, lead_id: lead.lead_id, deliveries }];
  return [...refusals, ...own];
}
