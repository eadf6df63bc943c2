import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { formatEuro, formatNumber } from '#shared/rules/formats';
import { REFETCH_INTERVAL_MS } from '../../app/query-client';
import { ChannelTest, channelsOf } from '../buyers/ChannelTest';
import { type Buyer, useBuyer, useBuyers } from '../data/buyers';
import type { CreatedOrder, DialogInput } from '../dialogs/dialogs';
import { AppModal } from '../ui/AppModal';
import { CopyField } from '../ui/CopyField';
import { countOf } from '../ui/labels';

/** Polls while the backlog is distributed to the new order, which usually takes two seconds. */
const POLL_EVERY_MS = 700;
const POLL_FOR_MS = 20_000;

/** Shows a new link to send to the buyer. */
export function NewLinkDialog({ buyerId, link, created, close }: DialogInput<'new-link'>) {
  return (
    <AppModal title={`New link for ${buyerId}`} close={close}>
      <Text mb="sm">Send this link to the buyer. {aboutEarlier(created)}</Text>
      <CopyField label="Leads link" value={link} copy="Copy link" />
      {created && <Taken buyerId={buyerId} created={created} />}
      {created?.isFirst && <TestLeads buyerId={buyerId} />}
      <Group justify="flex-end" mt="lg">
        <Button onClick={close}>Done</Button>
      </Group>
    </AppModal>
  );
}

function aboutEarlier(created: CreatedOrder | undefined): string {
  if (created === undefined) return 'An earlier link no longer works.';
  return created.isFirst ? '' : 'It shows this order; the links of earlier orders keep working.';
}

/** Sends a test lead, before the first real one. */
function TestLeads({ buyerId }: { buyerId: string }) {
  const buyer = useBuyer(buyerId);
  if (buyer === undefined) return null;
  return channelsOf(buyer).map(({ id }) => <ChannelTest key={id} buyer={buyer} channel={id} />);
}

const takenOf = (row: Buyer | undefined) => (row ? row.leads_received + row.reimbursement_delivered : 0);

/** How many pending leads the new order has received so far. */
function Taken({ buyerId, created }: { buyerId: string; created: CreatedOrder }) {
  const [openedAt] = useState(() => Date.now());
  const { expected, waiting } = created;
  const rowOf = (buyers: readonly Buyer[] = []) =>
    buyers.find(({ buyer_id, order_id }) => buyer_id === buyerId && order_id === created.orderId);
  const { data } = useBuyers((buyers) =>
    takenOf(rowOf(buyers)) < (expected ?? 0) && Date.now() - openedAt < POLL_FOR_MS
      ? POLL_EVERY_MS
      : REFETCH_INTERVAL_MS,
  );
  const row = rowOf(data);
  const taken = takenOf(row);
  const revenue = row?.price_per_lead ? `: ${formatEuro(row.total_revenue)}` : '';
  const text =
    taken === 0 && !expected
      ? `${waiting ? 'No pending lead matches this order' : 'No lead was pending for this order'}. ${comingText(row)}`
      : `It has taken ${takenText(taken, created)}${revenue}.${limitText(created)}`;
  return (
    <Text mt="sm" role="status">
      {text}
    </Text>
  );
}

/** Whether the order receives new leads. */
function comingText(row: Buyer | undefined): string {
  return row?.probability === 0
    ? 'The probability is 0%, so it gets no new leads until you raise it.'
    : 'It gets its share of incoming leads.';
}

/** @param taken so far */
function takenText(taken: number, { expected, waiting }: CreatedOrder): string {
  if (expected === undefined) return countOf(taken, 'lead');
  return `${formatNumber(taken)} of ${countOf(Math.max(waiting ?? 0, expected), 'pending lead')}`;
}

/** Why pending leads are left over. */
function limitText({ expected, waiting, limit }: CreatedOrder): string {
  if (expected === undefined || waiting === undefined || waiting <= expected) return '';
  const why = expected >= limit ? 'the order is full' : 'they do not match this order';
  return ` ${formatNumber(waiting - expected)} still wait, because ${why}.`;
}
