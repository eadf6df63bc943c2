/** Faults of the code that decides claims and reverses decisions. */
import { keyText, type Mutant, rewriting, without } from '#test/simulation/rewriting';

export const CLAIM_MUTANTS: readonly Mutant[] = [
  {
    name: 'a duplicate is made good because of a lead that is made good itself',
    small: 'a duplicate is made good while an admin makes the earlier lead good',
    rewrite: without(
      /SET #status = :assigned/,
      /AND \(attribute_not_exists\(claim_status\) OR claim_status <> :approved\)/,
    ),
  },
  {
    name: 'a decision is reversed twice',
    small: 'two admins reverse a decision',
    rewrite: (command) =>
      (command.input.TransactItems ?? []).some((item) =>
        Object.values(item).some(
          (part) => keyText(part).endsWith('/CLAIM') && /reversed_at/.test(JSON.stringify(part)),
        ),
      )
        ? rewriting((write) => (write.ConditionExpression ? { ...write, ConditionExpression: '' } : write))(
            command,
          )
        : command,
  },
  {
    name: 'a reversal takes back a replacement that is being delivered',
    small: 'a decision is reversed while its replacement is delivered',
    rewrite: without(
      /reimbursement_pending = reimbursement_pending \+ :by/,
      /reimbursement_pending = :owed AND/,
    ),
  },
  {
    name: 'the decision of a deleted lead is reversed',
    small: 'a decision is reversed while its lead is deleted',
    rewrite: without(/SET claim_status = :status/, /AND #status = :assigned/),
  },
];
