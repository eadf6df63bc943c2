/**
 * Faults in the code that keeps things right under concurrency, each imitated at the seam to the table: a condition loses a
 * part, a fence or a mark is left out, a write is dropped. The simulator has to find every one.
 */

import { ACCOUNT_MUTANTS } from '#test/simulation/account-mutants';
import { CLAIM_MUTANTS } from '#test/simulation/claim-mutants';
import type { Rewrite } from '#test/simulation/outside';
import { PEOPLE_MUTANTS } from '#test/simulation/people-mutants';
import {
  type Change,
  expressionsOf,
  keyText,
  type Mutant,
  rewriting,
  unconditional,
  without,
} from '#test/simulation/rewriting';

/** Changes what else stands in the transaction by which a lead is given on. */
const givingOn =
  (change: Change): Rewrite =>
  (command) =>
    (command.input.TransactItems ?? []).some((item) =>
      Object.values(item).some((part) => GIVE_ON.test(expressionsOf(part))),
    )
      ? rewriting(change)(command)
      : command;

const RESERVE = /last_sequence = last_sequence/;
const ASSIGN = /lead_type = :type/;
const GIVE_ON = /refused_by = :refused/;

export const MUTANTS: readonly Mutant[] = [
  ...CLAIM_MUTANTS,
  ...PEOPLE_MUTANTS,
  ...ACCOUNT_MUTANTS,
  { name: 'an order reserves beyond its limit', rewrite: without(RESERVE, /leads_received < lead_limit/) },
  {
    name: 'an order reserves for a batch beyond its limit',
    small: 'a batch and a lead, places for the batch',
    rewrite: without(RESERVE, /leads_received <= :most/),
  },
  {
    name: 'a round of a batch is made twice',
    small: 'two workers with one batch',
    rewrite: rewriting((write) =>
      String(write.Item?.sk).startsWith('ROUND#') ? { ...write, ConditionExpression: '' } : write,
    ),
  },
  {
    name: 'a repeated batch overwrites its leads',
    rewrite: rewriting((write) =>
      write.Item?.sk === 'LEAD' && write.Item.batch_id !== undefined
        ? { ...write, ConditionExpression: '' }
        : write,
    ),
  },
  {
    name: 'an order reserves beyond its cap of the day',
    rewrite: without(RESERVE, /pace\.day_taken < pace\.day_allowance/),
  },
  {
    name: 'an order reserves beyond its cap of the week',
    small: 'two leads, one place in the week',
    rewrite: without(RESERVE, /pace\.week_taken < pace\.week_allowance/),
  },
  {
    name: 'an order reserves for a batch beyond its cap of the day',
    small: 'a batch and a lead, a day for the batch',
    rewrite: without(RESERVE, /pace\.day_taken <?= :dayTaken/),
  },
  {
    name: 'a day of an order begins twice',
    small: 'two leads begin the day of an order',
    rewrite: without(RESERVE, /pace\.of_day = :before/),
  },
  {
    name: 'a deleted order reserves',
    small: 'a replacement is delivered while its order is deleted',
    rewrite: without(RESERVE, /deleted_at = :null/),
  },
  {
    name: 'an original lead is reserved while a replacement is owed',
    rewrite: without(RESERVE, /reimbursement_pending = :zero/),
  },
  {
    name: 'a replacement is reserved that is not owed',
    rewrite: without(RESERVE, /reimbursement_pending > :zero/),
  },
  {
    name: 'a repeated reservation counts twice',
    rewrite: without(
      RESERVE,
      /attribute_not_exists\(reservations\.#key\) AND attribute_not_exists\(replacement_reservations\.#key\)/,
    ),
  },
  {
    name: 'a repeated release counts twice',
    small: 'a lead while the reconciliation takes it over',
    rewrite: without(
      /leads_received = leads_received - :one REMOVE/,
      /attribute_exists\(reservations\.#key\)/,
    ),
  },
  {
    name: 'an overtaken attempt assigns',
    small: 'a lead while the reconciliation takes it over',
    rewrite: without(ASSIGN, /AND distribution_attempt = :attempt/),
  },
  {
    name: 'an assigned lead is assigned again',
    small: 'a lead while the reconciliation takes it over',
    rewrite: without(ASSIGN, /#status = :received AND distribution_attempt = :attempt/),
  },
  {
    name: 'an overtaken attempt makes a lead pending',
    small: 'a lead without a place while the limit is raised and the reconciliation takes it over',
    rewrite: without(
      /#status = :pending, reason = :reason/,
      /#status = :received AND distribution_attempt = :attempt/,
    ),
  },
  {
    name: 'two reconciliations take over the same attempt',
    rewrite: without(/distribution_attempt = :next/, /AND distribution_attempt = :seen/),
  },
  {
    name: 'the backlog restarts a lead that is no longer pending',
    rewrite: without(
      /#status = :received, distribution_attempt = :attempt, in_flight_since/,
      /#status = :pending AND distribution_attempt = :seen/,
    ),
  },
  {
    name: 'a repeated intake overwrites the lead',
    rewrite: rewriting((write) =>
      String(write.Item?.gsi1pk).startsWith('INFLIGHT') ? { ...write, ConditionExpression: '' } : write,
    ),
  },
  {
    name: 'an earlier attempt overwrites the decision',
    rewrite: rewriting((write) =>
      write.Item?.sk === 'DECISION' ? { ...write, ConditionExpression: '' } : write,
    ),
  },
  {
    name: 'the ledger of shares loses updates',
    rewrite: unconditional(/^POOL\/LEDGER .*deficits = :deficits/),
  },
  {
    name: 'a pool entry loses updates',
    rewrite: rewriting((write) =>
      String(write.Item?.sk).startsWith('ENTRY#') && write.ConditionExpression === 'version = :seen'
        ? { ...write, ConditionExpression: '' }
        : write,
    ),
  },
  { name: 'the sum of the weights is not guarded', rewrite: unconditional(/^POOL\/WEIGHTS/) },
  { name: 'capacity is noted of another order', rewrite: unconditional(/has_capacity = :capacity/) },
  {
    name: 'a limit falls below what was received',
    small: 'a lead while the limit is lowered',
    rewrite: without(/SET lead_limit = :limit/, /leads_received <= :limit/),
  },
  {
    name: 'an order is deleted without what it owes now',
    small: 'a replacement is delivered while its order is deleted',
    rewrite: without(/returned_to_balance = :owed/, /AND reimbursement_pending = :owed/),
  },
  {
    name: 'an order takes a claim beyond its quota',
    small: 'two claims, one place in the quota',
    rewrite: without(/ADD total_claims :one/, /total_claims < :total/),
  },
  {
    name: 'a claim is decided twice',
    small: 'two admins decide a claim',
    rewrite: rewriting((write) =>
      /^claim_status = :from|AND claim_status = :pending/.test(write.ConditionExpression ?? '')
        ? { ...write, ConditionExpression: '' }
        : write,
    ),
  },
  {
    name: 'a buyer loses updates',
    rewrite: rewriting((write) =>
      keyText(write).startsWith('BUYERS/') && /version = :/.test(write.ConditionExpression ?? '')
        ? { ...write, ConditionExpression: '' }
        : write,
    ),
  },
  {
    name: 'a lead is deleted twice',
    small: 'two admins delete a lead',
    rewrite: without(/#status = :deleted, deleted_at/, /#status = :assigned/),
  },
  {
    name: 'a lead that was deleted is given on',
    small: 'a refused lead is given on while it is deleted',
    rewrite: without(GIVE_ON, /#status = :assigned AND distribution_attempt = :seen/),
  },
  {
    name: 'a claimed lead is given on',
    small: 'a refused lead is given on while it is claimed',
    rewrite: without(GIVE_ON, /AND attribute_not_exists\(claim_id\)/),
  },
  {
    name: 'a lead is given on while it is sent again',
    small: 'a refused lead is given on while it is sent again',
    rewrite: rewriting((write) =>
      /\/DELIVERY#/.test(keyText(write)) && write.ConditionExpression?.endsWith('updated_at = :seen') === true
        ? { ...write, ConditionExpression: '' }
        : write,
    ),
  },
  {
    name: 'a lead that is given on keeps its note on the order',
    small: 'a lead is refused and given on, a death at any call',
    rewrite: rewriting((write) =>
      write.Key !== undefined &&
      /leads_received = leads_received - :one.* REMOVE reservations\.#done0$/.test(
        write.UpdateExpression ?? '',
      )
        ? { ...write, UpdateExpression: write.UpdateExpression?.replace(/ REMOVE .*$/, '') ?? '' }
        : write,
    ),
  },
  {
    name: 'a lead that is given on frees no place',
    small: 'a lead is refused and given on, a death at any call',
    rewrite: givingOn((write) => (keyText(write).startsWith('ORDERS#') ? undefined : write)),
  },
  {
    name: 'the choice of a lead that is given on stays in the ledger',
    small: 'a lead is refused and given on, a death at any call',
    rewrite: givingOn((write) => (keyText(write) === 'POOL/LEDGER' ? undefined : write)),
  },
  {
    name: 'a buyer is asked again for a lead that it refused',
    small: 'a lead is refused and given on, a death at any call',
    rewrite: rewriting((write) =>
      GIVE_ON.test(expressionsOf(write))
        ? { ...write, UpdateExpression: write.UpdateExpression?.replace(', refused_by = :refused', '') ?? '' }
        : write,
    ),
  },
  {
    name: 'the former buyer sends a lead that was given on',
    small: 'two workers get a no to the same lead',
    rewrite: without(/\S/, /AND order_id = :of_order AND #of_sequence = :of_sequence/),
  },
  {
    name: 'two workers claim the same delivery attempt',
    rewrite: unconditional(/^LEAD#\S+\/DELIVERY#.*sending_by = :by/),
  },
  {
    name: 'a late result overwrites a newer one',
    small: 'a worker sends a lead for longer than its lease',
    rewrite: unconditional(
      /^LEAD#\S+\/DELIVERY#.*attempts = :attempts, updated_at = :now, next_attempt_at = :next/,
    ),
  },
  {
    name: 'a circuit opens after it was closed',
    small: 'a fifth failure and a success over one circuit',
    rewrite: unconditional(/^CIRCUIT#.*openings = :openings/),
  },
  {
    name: 'a renewed link lives on',
    rewrite: rewriting((write) =>
      keyText(write).startsWith('TOKEN#') &&
      write.Item === undefined &&
      write.UpdateExpression === undefined &&
      write.ConditionExpression === undefined &&
      write.Key !== undefined
        ? undefined
        : write,
    ),
  },
  {
    name: 'a lead is counted from an old count',
    rewrite: rewriting((write) =>
      /STATISTICS|COUNTED/.test(keyText(write)) && write.ConditionExpression !== undefined
        ? { ...write, ConditionExpression: '' }
        : write,
    ),
  },
  {
    name: 'a repeated transaction has no token',
    rewrite: ({ name, input }) => {
      const { ClientRequestToken: _, ...rest } = input;
      return name === 'TransactWriteCommand' ? { name, input: rest } : { name, input };
    },
  },
  {
    name: 'a used idempotency key is taken again',
    rewrite: rewriting((write) =>
      keyText(write).startsWith('INTAKE#') && write.Item !== undefined
        ? { ...write, ConditionExpression: '' }
        : write,
    ),
  },
  {
    name: 'two requests take over one idempotency key',
    small: 'two requests repeat one that died with its key',
    rewrite: unconditional(/^INTAKE#.*taken_by = :me/),
  },
  {
    name: 'caps are changed with counts of before',
    small: 'a lead while caps are changed',
    rewrite: without(/lead_limit = :limit, pace = :pace/, / AND last_sequence = :sequence.*$/),
  },
  {
    name: "an account's month loses updates",
    small: 'claims of two days are counted at once',
    rewrite: rewriting((write) =>
      keyText(write).startsWith('ACCOUNTS/') ? { ...write, ConditionExpression: '' } : write,
    ),
  },
  {
    name: 'a new order forgets the entry of what it was given',
    rewrite: rewriting((write) =>
      keyText(write).startsWith('REPLACEMENTS#') && write.Item?.kind === 'delivery' ? undefined : write,
    ),
  },
  {
    name: 'a mark of a person is taken from others',
    rewrite: rewriting((write) =>
      keyText(write).startsWith('PERSON#') && write.Item !== undefined
        ? { ...write, ConditionExpression: '' }
        : write,
    ),
  },
  {
    name: 'a lead takes a place in a mark that has changed',
    small: 'a call that died is repeated while the person comes again',
    rewrite: without(/SET leads\.#own = :place/, /leads = :seen/),
  },
  {
    name: 'a lead of a person is assigned though an earlier one is stored meanwhile',
    small: 'a call that died is repeated while a lead that has waited for it is distributed',
    rewrite: rewriting((write) =>
      keyText(write).startsWith('LEAD#') &&
      expressionsOf(write).trim() === 'attribute_not_exists(pk)' &&
      write.Key
        ? undefined
        : write,
    ),
  },
  {
    name: 'a lead of a person is assigned though an earlier one is distributed meanwhile',
    small: 'a person comes again while the earlier lead is distributed again',
    rewrite: rewriting((write) =>
      write.UpdateExpression === 'SET distribution_attempt = :attempt' ? undefined : write,
    ),
  },
  {
    name: 'a source sends beyond its limit',
    rewrite: without(/minute_left >= :leads/, /total_left >= :leads/),
  },
  {
    name: 'two workers claim the same attempt of a callback',
    small: 'two workers with one callback',
    rewrite: unconditional(/^CALLBACK#.*sending_by = :by/),
  },
  {
    name: 'a repeated change calls the source back once more',
    small: 'a change of a lead is read again while its source is told of it',
    rewrite: rewriting((write) =>
      keyText(write).startsWith('CALLBACK#') && write.Item !== undefined
        ? { ...write, ConditionExpression: '' }
        : write,
    ),
  },
  {
    name: 'nobody looks for open callbacks',
    rewrite: ({ name, input }) => {
      const values = Object.entries(input.ExpressionAttributeValues ?? {});
      const isOpen = (value: unknown) => typeof value === 'string' && value.startsWith('CALLBACK#open');
      if (name !== 'QueryCommand' || !values.some(([, value]) => isOpen(value))) return { name, input };
      const changed = values.map(([key, value]) => [key, isOpen(value) ? 'nothing' : value]);
      return { name, input: { ...input, ExpressionAttributeValues: Object.fromEntries(changed) } };
    },
  },
];
