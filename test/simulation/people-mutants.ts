/** Faults of the code that erases people, keeps the state of addresses, alerts admins and tells buyers news. */
import { expressionsOf, keyText, type Mutant, rewriting, without } from '#test/simulation/rewriting';

const ERASED = /SET erased_at = :at/;

export const PEOPLE_MUTANTS: readonly Mutant[] = [
  {
    name: 'an edit meanwhile outlives an erasure',
    small: 'a person is erased while its lead is edited',
    // Only the edit states then what it has seen.
    rewrite: rewriting((write) =>
      ERASED.test(expressionsOf(write)) ? { ...write, ConditionExpression: 'attribute_exists(pk)' } : write,
    ),
  },
  {
    name: 'a claim meanwhile outlives an erasure',
    small: 'a person is erased while its lead is claimed',
    rewrite: without(ERASED, /AND attribute_not_exists\(claim_id\)/),
  },
  {
    name: 'the outcome of a call outlives an erasure',
    small: 'a person is erased while its lead is sent',
    rewrite: without(
      /attempts = :attempts, updated_at = :now/,
      /#round = :round AND sending_until = :until AND/,
    ),
  },
  {
    name: 'an event of an address is lost',
    small: 'two events of an address',
    rewrite: rewriting((write) =>
      keyText(write).startsWith('ADDRESS#') && write.Item !== undefined
        ? { ...write, ConditionExpression: '' }
        : write,
    ),
  },
  {
    name: 'a mail that came back fails the next one',
    small: 'a mail comes back while its lead is sent again',
    rewrite: without(
      /attempts = :attempts/,
      /#round = :round AND #status = :delivered AND external_id = :external AND/,
    ),
  },
  {
    name: 'an alert is told twice',
    small: 'two reconciliations find a full order',
    rewrite: rewriting((write) =>
      String(write.Item?.sk).startsWith('OCCASION#') ? { ...write, ConditionExpression: '' } : write,
    ),
  },
  {
    name: 'a buyer is told twice that its order is nearly full',
    small: 'two reconciliations find an order nearly full',
    rewrite: rewriting((write) =>
      /^(NEWS#order|NOTICE#order_nearly_full)/.test(keyText(write))
        ? { ...write, ConditionExpression: '' }
        : write,
    ),
  },
];
