/** Faults of claims, erasures and statistics. */
import { type Faults, swap } from '#test/simulation/bundle';

export const CLAIM_FAULTS: Faults = {
  'a dead address is compensated after a later lead of the person was': swap(
    'functions/data/leads/lead-writes.ts',
    'dead && anotherOf(dead.field)',
    'undefined',
    `...(dead && { ':buyer': dead.buyer }),`,
    '',
  ),
  'two erasures of a discarded lead both record it': swap(
    'functions/data/leads/erasure.ts',
    `\${
      lead.erased_at === undefined ? 'attribute_not_exists(erased_at)' : 'attribute_exists(erased_at)'
    } AND \${
      lead.claim_id`,
    `\${
      lead.claim_id`,
  ),
  'a discarded lead loses the hashes of its intake': swap(
    'functions/data/leads/lead-writes.ts',
    'blanking({ shape: REMOVED_WHEN_DISCARDED })',
    'blanking({ shape: { ...leadSchema.shape, address: REMOVED_WHEN_DISCARDED.reason } })',
  ),
  'words of an erased claim are deleted twice': swap(
    'functions/data/claims/claim-store.ts',
    'wordless.row === packRow(wordless, nobody) ? [] : ',
    '',
  ),
  'the erasure of a missing lead fails': swap(
    'functions/domain/leads/erasure.ts',
    'if (details === undefined) return false;',
    `if (details === undefined) throw new Error('There is no such lead');`,
  ),
  "a buyer's day with only a decision is not counted": swap(
    'functions/data/statistics/sums.ts',
    "const cut = name.indexOf(':');",
    `const cut = name.indexOf(':');
    if (name.startsWith('approved') && !sums.has(name.replace('approved', 'claims'))) continue;`,
  ),
  'a process does not recheck its count': swap(
    'functions/domain/statistics/statistics.ts',
    `changed += recounts.length;
      failed = 0;`,
    'return changed + recounts.length;',
  ),
};
