import { Anchor } from '@mantine/core';
import { Link } from 'wouter';

/** The way to a lead's history. */
export function LeadLink({ lead }: { lead: { readonly lead_id: string; readonly display_id: string } }) {
  return (
    <Anchor component={Link} to={`/dashboard/leads/${lead.lead_id}`} size="sm" underline="always">
      lead {lead.display_id}
    </Anchor>
  );
}
