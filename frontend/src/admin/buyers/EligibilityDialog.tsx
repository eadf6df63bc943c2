import { Button, Group, Stack, Text } from '@mantine/core';
import { useLocation } from 'wouter';
import { useBuyer } from '../data/buyers';
import { type Checklist, useChecklist } from '../data/insights';
import { useApiMutation } from '../data/mutation';
import { type DialogInput, useDialogs } from '../dialogs/dialogs';
import { AppModal } from '../ui/AppModal';
import { countOf } from '../ui/labels';
import { ListSkeleton, QueryResult } from '../ui/states';
import { Tag } from '../ui/Tag';
import { TextLink } from '../ui/TextLink';
import { useFixDelivery } from './DeliveryProblem';
import { usePauseBuyer } from './pausing';

type Props = DialogInput<'eligibility'>;

type Check = Checklist['checks'][number];
type Action = NonNullable<Check['action']>;

const TITLES: Readonly<Record<Check['check'], string>> = {
  order: 'Order',
  limit: 'Lead limit',
  paused: 'Active',
  review: 'Manual review',
  weight: 'Probability',
  minimum: 'Minimum investment',
  schedule: 'Hours',
  caps: 'Caps',
  channels: 'Channels',
  delivery: 'Deliveries',
  intake: 'Leads coming in',
  share: 'Share',
  persons: 'Persons',
};
const STATES = {
  ok: { tone: 'good', text: 'OK' },
  warn: { tone: 'wait', text: 'Note' },
  blocked: { tone: 'bad', text: 'Blocking' },
} as const;
const ACTIONS: Readonly<Record<Action, string>> = {
  create_order: 'Create Order',
  change_limit: 'Change lead limit',
  resume: 'Resume',
  weights: 'Edit probabilities',
  edit_buyer: 'Edit buyer',
  edit_template: 'Edit template',
  deliveries: 'Show deliveries',
  pending: 'Show pending leads',
  sources: 'Show sources',
};

/** What prevents a buyer from receiving its next lead, in the order of the checks, with a link to each fix. */
export function EligibilityDialog({ buyerId, close }: Props) {
  const checklist = useChecklist(buyerId);
  return (
    <AppModal title={`Why no leads? ${buyerId}`} close={close} size="lg">
      <QueryResult query={checklist} skeleton={<ListSkeleton rows={4} />} what="The checklist">
        {({ summary, checks }) => (
          <Stack gap="md">
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {summary}
            </Text>
            <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
              {checks.map((check) => (
                <li key={check.check}>
                  <CheckRow check={check} buyerId={buyerId} close={close} />
                </li>
              ))}
            </Stack>
          </Stack>
        )}
      </QueryResult>
    </AppModal>
  );
}

function CheckRow({ check: { check, state, text, action, what_if }, ...of }: Props & { check: Check }) {
  const { tone, text: word } = STATES[state];
  return (
    <Stack gap={4}>
      <Group gap="sm" align="flex-start">
        <Group w={76}>
          <Tag tone={tone}>{word}</Tag>
        </Group>
        <Text flex={1} miw={180} style={{ overflowWrap: 'anywhere' }}>
          <strong>{TITLES[check]}.</strong> {text}
        </Text>
        {action !== null && <ActionButton action={action} {...of} />}
      </Group>
      {what_if !== null && <WhatIf terms={what_if} {...of} />}
    </Stack>
  );
}

function ActionButton({ action, buyerId, close }: Props & { action: Action }) {
  const dialogs = useDialogs();
  const pause = usePauseBuyer();
  const mendDelivery = useFixDelivery();
  const [, navigate] = useLocation();
  const buyer = useBuyer(buyerId);
  const leave = (path: string) => {
    close();
    navigate(path);
  };
  const go = () => {
    if (buyer === undefined) return;
    switch (action) {
      case 'create_order':
        return dialogs.open('create-order', { buyerId });
      case 'change_limit':
        return dialogs.open('order-limit', { buyerId, limit: buyer.lead_limit, caps: buyer });
      case 'resume':
        return pause.mutate({ buyerId, isPaused: false });
      case 'weights':
        return dialogs.open('weights', { including: buyerId });
      case 'edit_buyer':
        return dialogs.open('edit-buyer', { buyer });
      case 'edit_template':
        return mendDelivery(buyer);
      case 'deliveries':
        return leave(`/dashboard/deliveries?${new URLSearchParams({ buyer: buyerId })}`);
      case 'pending':
        return leave('/dashboard/ineligible-leads');
      case 'sources':
        return leave('/dashboard/sources');
    }
  };
  return (
    <Button
      size="compact-xs"
      variant="default"
      disabled={buyer === undefined || buyer.deleted}
      loading={pause.isPending}
      onClick={go}
    >
      {ACTIONS[action]}
    </Button>
  );
}

/** Days that the simulation looks back. */
const DAYS = 30;

/** How many past leads the buyer would have received on other terms. */
function WhatIf({ terms, buyerId, close }: Props & { terms: NonNullable<Check['what_if']> }) {
  const simulate = useApiMutation('simulate');
  const found = simulate.data?.buyers.find(({ buyer_id }) => buyer_id === buyerId);
  const ask = () => simulate.mutate({ body: { days: DAYS, buyers: [{ buyer_id: buyerId, ...terms }] } });
  const query = new URLSearchParams({
    buyer: buyerId,
    ...Object.fromEntries(Object.entries(terms).map(([name, value]) => [name, String(value)])),
  });
  return (
    <Group gap="sm">
      {simulate.data ? (
        <Text role="status">
          {termsText(terms)} it would have received {countOf(found?.would_have_received ?? 0, 'lead')} of the
          last {DAYS} days instead of {found?.got ?? 0}.
        </Text>
      ) : (
        <Button size="compact-xs" variant="subtle" loading={simulate.isPending} onClick={ask}>
          What would change? {termsText(terms)}
        </Button>
      )}
      <TextLink to={`/dashboard/simulate?${query}`} onClick={close}>
        Open in What-if
      </TextLink>
    </Group>
  );
}

function termsText({ probability, min_investment, lead_limit }: NonNullable<Check['what_if']>): string {
  if (probability !== undefined) return `With ${probability}%`;
  if (min_investment !== undefined) return 'Without a minimum';
  return `With a limit of ${lead_limit}`;
}
