/** What decides whether a buyer gets its next lead, in the order of the checks, with a button for each fix. */

import { Button, Group, Stack, Text } from '@mantine/core';
import { useLocation } from 'wouter';
import { type RestrictedId } from '#shared/contract/roles';
import { deliveryFixNeeds, useFixDelivery } from '../buyers/DeliveryProblem';
import { usePauseBuyer } from '../buyers/pausing';
import type { Buyer } from '../data/buyers';
import { useApiMutation } from '../data/mutation';
import { useMay } from '../data/rights';
import { useDialogs } from '../dialogs/dialogs';
import { buyerPath } from '../ui/BuyerLink';
import { countOf } from '../ui/labels';
import { Tag } from '../ui/Tag';
import { TextLink } from '../ui/TextLink';
import type { Action, Check } from './next-step';

interface Props {
  readonly buyer: Buyer;
}

const TITLES: Readonly<Record<Check['check'], string>> = {
  order: 'Order',
  limit: 'Lead limit',
  paused: 'Active',
  review: 'Manual review',
  weight: 'Probability',
  minimum: 'Minimum investment',
  criteria: 'Other criteria',
  consent: 'Consent',
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
export const ACTIONS: Readonly<Record<Action, string>> = {
  create_order: 'Create an order',
  change_limit: 'Change lead limit',
  resume: 'Resume',
  weights: 'Edit probabilities',
  edit_buyer: 'Edit buyer',
  edit_template: 'Edit template',
  deliveries: 'Show deliveries',
  pending: 'Show pending leads',
  sources: 'Show sources',
};

/** Screens that every role has need nothing. */
const NEEDS: Readonly<Partial<Record<Action, RestrictedId>>> = {
  create_order: 'createOrder',
  change_limit: 'updateOrderLimit',
  resume: 'updateBuyer',
  weights: 'changeWeights',
  edit_buyer: 'updateBuyer',
};

export function CheckList({ checks, buyer }: Props & { readonly checks: readonly Check[] }) {
  return (
    <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
      {checks.map((check) => (
        <li key={check.check}>
          <CheckRow check={check} buyer={buyer} />
        </li>
      ))}
    </Stack>
  );
}

function CheckRow({ check: { check, state, text, action, what_if }, buyer }: Props & { check: Check }) {
  const fix = useFix(buyer);
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
        {action !== null && fix.isAllowed(action) && (
          <Button size="compact-xs" variant="default" loading={fix.isPending} onClick={() => fix.run(action)}>
            {ACTIONS[action]}
          </Button>
        )}
      </Group>
      {what_if !== null && <WhatIf key={JSON.stringify(what_if)} terms={what_if} buyerId={buyer.buyer_id} />}
    </Stack>
  );
}

/** Opens what changes the result of a check. */
export function useFix(buyer: Buyer) {
  const dialogs = useDialogs();
  const pause = usePauseBuyer();
  const fixDelivery = useFixDelivery();
  const [, navigate] = useLocation();
  const may = useMay();
  const buyerId = buyer.buyer_id;
  const isAllowed = (action: Action) => {
    const needs = action === 'edit_template' ? deliveryFixNeeds(buyer) : NEEDS[action];
    return needs === undefined || may(needs);
  };
  const run = (action: Action) => {
    switch (action) {
      case 'create_order':
        return dialogs.open('create-order', { buyerId });
      case 'change_limit':
        return dialogs.open('order-limit', { buyerId, order: buyer });
      case 'resume':
        return pause.mutate({ buyerId, isPaused: false });
      case 'weights':
        return dialogs.open('weights', { including: buyerId });
      case 'edit_buyer':
        return dialogs.open('edit-buyer', { buyer });
      case 'edit_template':
        return fixDelivery(buyer);
      case 'deliveries':
        return navigate(buyerPath(buyerId, 'delivery'));
      case 'pending':
        return navigate('/dashboard/ineligible-leads');
      case 'sources':
        return navigate('/dashboard/sources');
    }
  };
  return { run, isPending: pause.isPending, isAllowed };
}

/** Days that the simulation looks back. */
const DAYS = 30;

interface WhatIfProps {
  readonly terms: NonNullable<Check['what_if']>;
  readonly buyerId: string;
}

/** How many past leads the buyer would have received on other terms. */
export function WhatIf({ terms, buyerId }: WhatIfProps) {
  const simulate = useApiMutation('simulate');
  const found = simulate.data?.buyers.find(({ buyer_id }) => buyer_id === buyerId);
  const ask = () => simulate.mutate({ body: { days: DAYS, buyers: [{ buyer_id: buyerId, ...terms }] } });
  const query = new URLSearchParams({
    buyer: buyerId,
    ...Object.fromEntries(Object.entries(terms).map(([name, value]) => [name, String(value ?? '')])),
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
      <TextLink to={`/dashboard/simulate?${query}`}>Open in What-if</TextLink>
    </Group>
  );
}

function termsText({ probability, min_investment, lead_limit }: NonNullable<Check['what_if']>): string {
  if (probability !== undefined) return `With ${probability}%`;
  if (min_investment !== undefined) return 'Without a minimum';
  return lead_limit === undefined ? 'Without these criteria' : `With a limit of ${lead_limit}`;
}
