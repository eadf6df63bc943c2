import { List, Text } from '@mantine/core';
import { formatDateTime } from '#shared/rules/formats';
import type { LeadDetails } from '../data/leads';
import { TextLink } from '../ui/TextLink';

/** Other leads of the person, the evidence for claims of duplicates. */
export function SamePerson({ leads }: { readonly leads: LeadDetails['same_person'] }) {
  if (leads === null)
    return <Text>Only leads posted with the key of a source are checked, until they are erased.</Text>;
  if (leads.length === 0)
    return <Text>No other lead of this person arrived within the source’s window.</Text>;
  return (
    <List size="sm">
      {leads.map(({ lead_id, display_id, buyer_id, received_at }) => (
        <List.Item key={lead_id}>
          <TextLink to={`/dashboard/leads/${lead_id}`}>
            {display_id === null ? 'A lead without an order' : `Lead ${display_id}`}
          </TextLink>
          {buyer_id === null ? '' : ` of ${buyer_id}`}, received {formatDateTime(new Date(received_at))}
        </List.Item>
      ))}
    </List>
  );
}
