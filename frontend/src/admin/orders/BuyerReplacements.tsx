import { Stack, Text } from '@mantine/core';
import { type ReplacementEntry, useReplacements } from '../data/claims';
import { type Column, column, DataTable } from '../ui/DataTable';
import { countOf } from '../ui/labels';
import { EmptyState, QueryResult } from '../ui/states';
import { TextLink } from '../ui/TextLink';

/** Every replacement of a buyer: why it is owed, where it moved, and the lead that was delivered for it. */
export function BuyerReplacements({ buyerId }: { readonly buyerId: string }) {
  const replacements = useReplacements(buyerId);
  return (
    <QueryResult query={replacements} what="The replacements">
      {({ balance_count, owed, entries }) =>
        entries.length === 0 ? (
          <EmptyState
            title="No replacements"
            hint="Replacements for approved claims of a prepay buyer appear here."
          />
        ) : (
          <Stack gap="sm">
            <Text>
              {countOf(owed, 'replacement')} owed, {balance_count} of them in the balance.
            </Text>
            <DataTable
              label={`Replacements of buyer ${buyerId}`}
              columns={columns}
              rows={entries}
              rowKey={(entry) =>
                `${entry.at} ${entry.kind} ${entry.claim_id} ${entry.lead_id} ${entry.order_id}`
              }
              maxHeight="60vh"
              cards
            />
          </Stack>
        )
      }
    </QueryResult>
  );
}

/** The movement in words. `amount` exceeds one only between orders and the balance. */
function happened({ kind, amount, order_id }: ReplacementEntry): string {
  const many = countOf(amount, 'replacement');
  switch (kind) {
    case 'credit':
      return order_id === null
        ? 'Claim approved, credited to the balance'
        : 'Claim approved, credited to the order';
    case 'attach':
      return `${many} from the balance to the new order`;
    case 'return':
      return `${many} from the order back to the balance`;
    case 'take_back':
      return `${many} from the balance to the restored order`;
    case 'delivery':
      return 'Replacement delivered';
    case 'delivery_undone':
      return 'Delivered replacement deleted, owed again';
    case 'credit_undone':
      return 'Approval reversed, no longer owed';
    default:
      return kind satisfies never;
  }
}

const columns: readonly Column<ReplacementEntry>[] = [
  column('Time', 150, (entry) => entry.at_formatted),
  column('Event', 240, happened),
  column('Order ID', 90, (entry) => entry.order_id ?? '–'),
  column('Claim', 90, ({ claim_id }) =>
    claim_id === null ? (
      '–'
    ) : (
      <TextLink to={`/dashboard/claimed-leads?filters=1&search=${claim_id}`}>#{claim_id}</TextLink>
    ),
  ),
  column('Lead', 110, ({ lead_id }) =>
    lead_id === null ? (
      '–'
    ) : (
      <TextLink to={`/dashboard/leads/${lead_id}`} aria-label={`Show lead ${lead_id}`}>
        Show lead
      </TextLink>
    ),
  ),
  column('Balance after', 120, (entry) => entry.balance_after, { align: 'right' }),
  column('Owed after', 110, (entry) => entry.owed_after, { align: 'right' }),
];
