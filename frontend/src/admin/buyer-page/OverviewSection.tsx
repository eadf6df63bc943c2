import { Anchor, Box, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { type RestrictedId } from '#shared/contract/roles';
import { orderNumberText } from '#shared/rules/order-texts';
import { AddressHint } from '../buyers/AddressHint';
import type { Buyer } from '../data/buyers';
import { useDeliveries } from '../data/deliveries';
import { useChecklist } from '../data/insights';
import { useApiMutation } from '../data/mutation';
import { Allowed, useMay } from '../data/rights';
import { useDialogs } from '../dialogs/dialogs';
import { deliveryFacts } from '../lead/partner-reason';
import { isAsking } from '../orders/asking';
import { OrderLink } from '../orders/OrderLink';
import { PaceLines } from '../orders/PaceLines';
import { Reorder } from '../orders/Reorders';
import { buyerPath } from '../ui/BuyerLink';
import { type DescriptionItem, DescriptionList } from '../ui/DescriptionList';
import { Fold } from '../ui/Fold';
import { countOf, percentText } from '../ui/labels';
import { Meter } from '../ui/Meter';
import { ListSkeleton, QueryResult } from '../ui/states';
import { TextLink } from '../ui/TextLink';
import { ACTIONS, CheckList, useFix, WhatIf } from './Checks';
import { type Check, type FixableCheck, nextStep, type Step } from './next-step';

interface Props {
  readonly buyer: Buyer;
}

/** Whether the buyer gets leads now, the one next step, its share and its order. */
export function OverviewSection({ buyer }: Props) {
  if (buyer.deleted)
    return <Text>This buyer is deleted: it gets no leads. Its orders, statement and history stay here.</Text>;
  return <State buyer={buyer} />;
}

function State({ buyer }: Props) {
  const checklist = useChecklist(buyer.buyer_id);
  return (
    <QueryResult query={checklist} skeleton={<ListSkeleton rows={4} />} what="The state of the buyer">
      {({ checks }) => (
        <>
          <NextStep buyer={buyer} checks={checks} />
          <ShareAndOrder buyer={buyer} share={checks.find(({ check }) => check === 'share')?.text} />
        </>
      )}
    </QueryResult>
  );
}

function NextStep({ buyer, checks }: Props & { readonly checks: readonly Check[] }) {
  const step = nextStep(buyer, checks);
  const isBlocked = checks.some(({ state }) => state === 'blocked');
  const others = checks.filter((check) => check.check !== 'share' && check !== step?.check);
  const passed = others.filter(({ state }) => state === 'ok');
  const notes = others.filter(({ state }) => state !== 'ok');
  return (
    <Paper component="section" withBorder p="lg" aria-labelledby="state">
      <Title order={3} size="h4" id="state" mb={4}>
        {isBlocked ? 'Receives no leads' : 'Receives leads'}
      </Title>
      <Stack gap="md">
        {step === undefined ? <Text>Nothing needs to be done.</Text> : <StepView step={step} buyer={buyer} />}
        {notes.length > 0 && <CheckList checks={notes} buyer={buyer} />}
        <Fold title="Passed checks" summary={String(passed.length)}>
          <CheckList checks={passed} buyer={buyer} />
        </Fold>
      </Stack>
    </Paper>
  );
}

function StepView({ step, buyer }: Props & { readonly step: Step }) {
  switch (step.kind) {
    case 'reorder':
      return isAsking(buyer) && <Reorder buyer={buyer} />;
    case 'address':
      return <AddressHint buyer={buyer} />;
    case 'failed':
      return <Failed check={step.check} buyerId={buyer.buyer_id} />;
    case 'fix':
      return <Fix check={step.check} buyer={buyer} />;
  }
}

function Fix({ check, buyer }: Props & { readonly check: FixableCheck }) {
  const fix = useFix(buyer);
  return (
    <div>
      <Line text={check.text}>
        {fix.isAllowed(check.action) && (
          <Button size="xs" loading={fix.isPending} onClick={() => fix.run(check.action)}>
            {ACTIONS[check.action]}
          </Button>
        )}
      </Line>
      {check.what_if !== null && (
        <WhatIf key={JSON.stringify(check.what_if)} terms={check.what_if} buyerId={buyer.buyer_id} />
      )}
    </div>
  );
}

/** What failed last, and why. */
function Failed({ check, buyerId }: { readonly check: Check; readonly buyerId: string }) {
  const failed = useDeliveries(buyerId, 'failed');
  const resend = useApiMutation('resendFailedDeliveries');
  const may = useMay();
  const rows = failed.data?.pages.flatMap(({ deliveries }) => deliveries) ?? [];
  const [last] = rows;
  return (
    <div>
      <Line text={check.text}>
        {last !== undefined && may('resendFailedDeliveries') && (
          <Button size="xs" loading={resend.isPending} onClick={() => resend.mutate({ params: { buyerId } })}>
            Resend{' '}
            {failed.hasNextPage ? 'all failed' : countOf(rows.length, 'failed delivery', 'failed deliveries')}
          </Button>
        )}
      </Line>
      {last && <Text>{deliveryFacts(last).join(' · ')}</Text>}
      <TextLink to={buyerPath(buyerId, 'delivery')}>Show deliveries</TextLink>
    </div>
  );
}

const Line = ({ text, children }: { readonly text: string; readonly children: ReactNode }) => (
  <Group justify="space-between" gap="sm">
    <Text flex={1} miw={220} style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Text>
    {children}
  </Group>
);

function ShareAndOrder({ buyer, share }: Props & { readonly share: string | undefined }) {
  const dialogs = useDialogs();
  const facts: DescriptionItem[] = [
    [
      'Probability',
      <Edited
        key="weight"
        needs="changeWeights"
        text="Edit probabilities"
        open={() => dialogs.open('weights', {})}
      >
        {percentText(buyer.probability)}
      </Edited>,
    ],
    ['Share', share],
  ];
  const { buyer_id, order_id, buyer_order_number: number, excel_link, lead_limit } = buyer;
  if (order_id !== null && number !== null && buyer.order_status !== 'Deleted')
    facts.push(
      ['Order', `${orderNumberText(number)}, order ID ${order_id}`],
      [
        'Delivered',
        <Edited
          key="progress"
          needs="updateOrderLimit"
          text="Change lead limit"
          open={() => dialogs.open('order-limit', { buyerId: buyer_id, order: buyer })}
        >
          <Box w={140}>
            <Meter done={buyer.leads_received} of={lead_limit} label={`Order ${order_id} delivered`} />
          </Box>
          {buyer.order_status === 'Active' && <PaceLines order={buyer} />}
        </Edited>,
      ],
      [
        'Replacements',
        `${countOf(buyer.reimbursement_delivered, 'delivered', 'delivered')}, ${buyer.reimbursement_pending} owed`,
      ],
      ['Leads link', <OrderLink key="link" order={{ buyer_id, order_id, excel_link }} />],
    );
  return (
    <Paper component="section" withBorder p="lg" aria-labelledby="share-and-order">
      <Title order={3} size="h4" id="share-and-order" mb="sm">
        Share and order
      </Title>
      <DescriptionList facts={facts} />
    </Paper>
  );
}

interface EditedProps {
  readonly needs: RestrictedId;
  /** Of the button that changes it. */
  readonly text: string;
  readonly open: () => void;
  readonly children: ReactNode;
}

const Edited = ({ needs, text, open, children }: EditedProps) => (
  <Group gap="md">
    <div>{children}</div>
    <Allowed to={needs}>
      <Anchor component="button" type="button" size="sm" onClick={open}>
        {text}
      </Anchor>
    </Allowed>
  </Group>
);
