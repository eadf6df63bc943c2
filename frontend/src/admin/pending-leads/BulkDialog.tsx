import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { formatNumber } from '#shared/rules/formats';
import { pendingReasonText } from '#shared/rules/reasons';
import { ApiError } from '../../app/api';
import { type Buyer, isActiveBuyer, useBuyers } from '../data/buyers';
import { AFFECTED_BY_LEADS } from '../data/calls';
import { assignLead, discardLead, distributeLead } from '../data/leads';
import { useRefresh } from '../data/mutation';
import { erasePerson } from '../data/people';
import type { DialogInput } from '../dialogs/dialogs';
import { INVALID } from '../invalid-texts';
import { errorText } from '../notifications';
import { CONFIRM } from '../texts';
import { AppModal } from '../ui/AppModal';
import { BulkOutcomes } from '../ui/BulkOutcomes';
import { done, type Task, useBulk } from '../ui/bulk';
import { countOf } from '../ui/labels';
import type { BulkAction, BulkLead } from './bulk-action';

const keyOf = (lead: BulkLead) => lead.lead_id;
const nameOf = (lead: BulkLead) => lead.name;

/** More concurrent calls would only conflict in the table. */
const DISCARDS_AT_ONCE = 4;

const WORDS = {
  assign: { verb: 'Assign', result: 'assigned', again: '' },
  distribute: { verb: 'Distribute', result: 'assigned', again: ' again' },
  discard: { verb: 'Discard', result: 'discarded', again: '' },
  erase: { verb: 'Erase', result: 'erased', again: '' },
} as const satisfies Record<BulkAction, object>;

/** One action for many leads, oldest first, with the result of each. */
export function BulkDialog({ action, leads, close }: DialogInput<'bulk'>) {
  const [buyerId, setBuyerId] = useState('');
  const [error, setError] = useState<string>();
  const buyers = useBuyers();
  const refresh = useRefresh();
  const bulk = useBulk(keyOf);
  const leaving = useRef<HTMLButtonElement>(null);
  const oldestFirst = [...leads].sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
  const { verb, result, again } = WORDS[action];
  const count = countOf(leads.length, 'lead');

  const start = () => {
    if (action === 'assign' && buyerId === '') {
      setError(INVALID.buyer);
      return;
    }
    // The pressed button loses the focus: it is disabled now and removed at the end.
    leaving.current?.focus();
    bulk.start(oldestFirst, {
      ...taskOf(action, buyerId),
      ended: () => void refresh(AFFECTED_BY_LEADS),
    });
  };

  return (
    <AppModal title={`${verb} ${count}${again}`} close={close} dirty={bulk.state === 'running'}>
      <Stack gap="md">
        {action === 'assign' ? (
          <BuyerChoice
            buyers={buyers.data ?? []}
            value={buyerId}
            disabled={bulk.state !== 'idle'}
            error={error ?? (buyers.error ? errorText(buyers.error) : undefined)}
            choose={(chosen) => {
              setBuyerId(chosen);
              setError(undefined);
            }}
          />
        ) : (
          <Text>{hintOf(action, count)}</Text>
        )}
        <BulkOutcomes
          label={`Leads to ${action}`}
          rows={oldestFirst}
          keyOf={keyOf}
          title="Lead"
          nameOf={nameOf}
          outcomes={bulk.outcomes}
          doneText={result}
          ended={bulk.state === 'ended'}
        />
        <Group justify="flex-end">
          <Button
            ref={leaving}
            variant="default"
            {...(action !== 'assign' && { 'data-autofocus': true })}
            onClick={bulk.state === 'running' ? bulk.stop : close}
          >
            {bulk.state === 'running' ? 'Stop' : bulk.state === 'ended' ? 'Done' : 'Cancel'}
          </Button>
          {bulk.state !== 'ended' && (
            <Button
              {...(action !== 'assign' && action !== 'distribute' && { color: 'red.9' })}
              disabled={bulk.state === 'running'}
              onClick={start}
            >
              {verb} {count}
              {again}
            </Button>
          )}
        </Group>
      </Stack>
    </AppModal>
  );
}

const DISTRIBUTE_HINT =
  'Each lead is distributed by the shares as if it had just arrived, while buyers have capacity. Leads that failed verification are verified again. Leads under manual review stay.';

function hintOf(action: Exclude<BulkAction, 'assign'>, count: string): string {
  switch (action) {
    case 'distribute':
      return DISTRIBUTE_HINT;
    case 'discard':
      return CONFIRM.discardLeads(count);
    case 'erase':
      return CONFIRM.eraseLeads(count);
  }
}

interface ChoiceProps {
  readonly buyers: readonly Buyer[];
  readonly value: string;
  readonly disabled: boolean;
  readonly error: string | undefined;
  readonly choose: (buyerId: string) => void;
}

function BuyerChoice({ buyers, value, disabled, error, choose }: ChoiceProps) {
  return (
    <NativeSelect
      label="Buyer"
      required
      data-autofocus
      disabled={disabled}
      description="Oldest leads first, up to the order’s limit; the others stay. Probability, minimum investment and manual review do not count."
      data={[
        { value: '', label: '-- Select a buyer --' },
        ...buyers.filter(isActiveBuyer).map((buyer) => ({
          value: buyer.buyer_id,
          label: `${buyer.buyer_id} - ${buyer.buyer_email} (${formatNumber(buyer.leads_received)}/${formatNumber(buyer.lead_limit)})`,
        })),
      ]}
      value={value}
      error={error}
      onChange={(event) => choose(event.currentTarget.value)}
    />
  );
}

/** Assigned and distributed sequentially, because the oldest come first and every choice builds on the one before. */
function taskOf(action: BulkAction, buyerId: string): Task<BulkLead> {
  switch (action) {
    case 'assign':
      return {
        perform: async (lead) => done(`Assigned as ${await assignLead(lead.lead_id, buyerId)}`),
        atOnce: 1,
        endsWith: (error) =>
          error instanceof ApiError && error.code === 'buyer_has_no_capacity'
            ? `Not tried: ${buyerId} has no capacity left`
            : undefined,
      };
    case 'distribute':
      return {
        perform: async (lead) => {
          const { status, buyer, display_id, reason } = await distributeLead(lead.lead_id);
          return status === 'assigned'
            ? done(`Assigned to ${buyer} as ${display_id}`)
            : { state: 'unchanged', text: `Still pending: ${reason && pendingReasonText(reason)}` };
        },
        atOnce: 1,
      };
    case 'discard':
      return {
        perform: async (lead) => {
          await discardLead(lead.lead_id);
          return done('Discarded');
        },
        atOnce: DISCARDS_AT_ONCE,
      };
    case 'erase':
      return {
        perform: async (lead) => done(await erasePerson(lead.lead_id)),
        atOnce: 1,
      };
  }
}
