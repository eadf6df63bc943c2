import { Button, Group, Stack, Text } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import type { StatementLineRow, StatementOrderRow } from '#shared/contract/rows/statement';
import { formatEuro } from '#shared/rules/formats';
import { orderNumberText } from '#shared/rules/order-texts';
import { fileUrl } from '../../app/api';
import { useApiMutation } from '../data/mutation';
import { useStatement } from '../data/orders';
import { useMay } from '../data/rights';
import { type Column, column, DataTable } from '../ui/DataTable';
import { ExportLinks } from '../ui/ExportLinks';
import { countOf } from '../ui/labels';
import { EmptyState, QueryResult } from '../ui/states';

/** An order in a month. */
interface Line extends StatementLineRow {
  readonly order: StatementOrderRow;
}

interface Props {
  readonly buyerId: string;
  readonly isDeleted: boolean;
}

/** The statement as the buyer sees it, which can be sent to the buyer unless it is deleted. */
export function BuyerStatement({ buyerId, isDeleted }: Props) {
  const statement = useStatement(buyerId);
  const may = useMay();
  const send = useApiMutation('sendStatement');
  return (
    <QueryResult query={statement} what="The statement">
      {({ orders, sum, owed, balance }) => (
        <Stack gap="sm">
          <Group justify="space-between">
            <Text>
              {formatEuro(sum)} for all orders. {countOf(owed.length, 'replacement')} owed, {balance} of them
              in the balance{owed[0] === undefined ? '' : `, the oldest for ${countOf(owed[0].days, 'day')}`}.
            </Text>
            <Group gap="xs">
              <ExportLinks
                of={`the statement of ${buyerId}`}
                address={(format) => fileUrl('downloadStatement', { params: { buyerId, format } })}
              />
              {!isDeleted && may('sendStatement') && (
                <Button
                  size="xs"
                  leftSection={<IconMail size={16} />}
                  loading={send.isPending}
                  onClick={() => send.mutate({ params: { buyerId } })}
                >
                  Send by e-mail
                </Button>
              )}
            </Group>
          </Group>
          {orders.every(({ lines }) => lines.length === 0) ? (
            <EmptyState
              title="No entries yet"
              hint="Delivered leads and claims appear here, by order and month."
            />
          ) : (
            <DataTable
              label={`Statement of buyer ${buyerId}`}
              columns={columns}
              rows={orders.flatMap((order) => order.lines.map((line) => ({ ...line, order }))).toReversed()}
              rowKey={({ order, month }) => `${order.buyer_order_number} ${month}`}
              maxHeight="60vh"
              cards
            />
          )}
        </Stack>
      )}
    </QueryResult>
  );
}

/** `2026-11` as `11.2026`; null for what is in no month yet. */
const monthText = (month: string | null) => month?.split('-').reverse().join('.') ?? 'Counting…';

const figure = (key: string, title: string, value: (line: Line) => number): Column<Line> =>
  column(title, 100, value, { key, align: 'right' });

const columns: readonly Column<Line>[] = [
  column('Order', 90, ({ order }) => orderNumberText(order.buyer_order_number)),
  column('Month', 120, ({ month }) => monthText(month), { grows: true }),
  figure('delivered', 'Delivered', ({ delivered }) => delivered),
  figure('claimed', 'Claimed', ({ claimed }) => claimed),
  figure('approved', 'Approved', ({ approved }) => approved),
  figure('rejected', 'Rejected', ({ rejected }) => rejected),
  figure('replaced', 'Replaced', ({ replaced }) => replaced),
  column(
    'Price/Lead',
    110,
    ({ order: { price_per_lead: price } }) => (price === null ? '–' : formatEuro(price)),
    { align: 'right' },
  ),
  column('Sum', 120, ({ sum }) => (sum === null ? '–' : formatEuro(sum)), { align: 'right' }),
];
