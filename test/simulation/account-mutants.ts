/** Faults of the code that decides who may log in and which secrets work. */
import { keyText, type Mutant, rewriting, unconditional } from '#test/simulation/rewriting';

export const ACCOUNT_MUTANTS: readonly Mutant[] = [
  {
    name: 'two admins remove each other',
    small: 'two admins remove each other',
    rewrite: unconditional(/^ADMINACCESS/),
  },
  { name: 'a recovery code lets in twice', rewrite: unconditional(/^RECOVERYCODES/) },
  {
    name: 'a code opens a link twice',
    small: 'a code of a link is entered on two devices',
    rewrite: unconditional(/^LINKCODE/),
  },
  {
    name: 'a template is deleted while a buyer chooses it',
    small: 'a template is deleted while a buyer chooses it',
    rewrite: unconditional(/^TEMPLATES/),
  },
  {
    name: 'another password leaves sessions open',
    rewrite: rewriting((write) =>
      write.UpdateExpression === 'SET password_hash = :hash, epoch = :epoch'
        ? { ...write, UpdateExpression: 'SET password_hash = :hash' }
        : write,
    ),
  },
  {
    name: 'guesses are not counted',
    rewrite: rewriting((write) =>
      keyText(write).startsWith('THROTTLE#') && write.UpdateExpression !== undefined
        ? {
            ...write,
            UpdateExpression: 'SET #count = #count',
            ExpressionAttributeValues: { ':now': write.ExpressionAttributeValues?.[':now'] },
          }
        : write,
    ),
  },
];
