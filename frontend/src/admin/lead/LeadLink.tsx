import { TextLink } from '../ui/TextLink';
/** A link to a lead's history. */
export function LeadLink({ lead }: { lead: { readonly lead_id: string; readonly display_id: string } }) {
  return (
    <TextLink to={`/dashboard/leads/${lead.lead_id}`} underline="always">
      lead {lead.display_id}
    </TextLink>
  );
}
