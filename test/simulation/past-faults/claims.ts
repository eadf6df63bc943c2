/** Faults of claims, erasures and statistics. */
import type { PastFault } from '#test/simulation/past-faults/past-fault';

export const CLAIM_FAULTS: readonly PastFault[] = [
  {
    name: 'a dead address is made good though a later lead was',
    replacements: [
      {
        file: 'functions/data/leads/lead-writes.ts',
        from: 'const another = dead && anotherOf(dead.field);',
        to: 'const another = undefined;',
      },
      {
        file: 'functions/data/leads/lead-writes.ts',
        from: `...(dead && { ':buyer': dead.buyer }),`,
        to: '',
      },
    ],
  },
  {
    name: 'two erasures of a discarded lead both tell of it',
    replacements: [
      {
        file: 'functions/data/leads/erasure.ts',
        from: `\${
      lead.erased_at === undefined ? 'attribute_not_exists(erased_at)' : 'attribute_exists(erased_at)'
    } AND \${
      lead.claim_id`,
        to: `\${
      lead.claim_id`,
      },
    ],
  },
  {
    name: 'a discarded lead loses what tells of its intake',
    replacements: [
      {
        file: 'functions/data/leads/lead-writes.ts',
        from: 'blanking({ shape: REMOVED_WHEN_DISCARDED })',
        to: 'blanking({ shape: { ...leadSchema.shape, address: REMOVED_WHEN_DISCARDED.reason } })',
      },
    ],
  },
  {
    name: 'words of an erased claim are deleted once more',
    replacements: [
      {
        file: 'functions/data/claims/claim-store.ts',
        from: 'return wordless.row === packRow(wordless, nobody) ? [] : personChanged(wordless, person, nobody);',
        to: 'return personChanged(wordless, person, nobody);',
      },
    ],
  },
  {
    name: 'an erasure of a lead that is gone fails',
    replacements: [
      {
        file: 'functions/domain/leads/erasure.ts',
        from: 'if (details === undefined) return false;',
        to: `if (details === undefined) throw new Error('There is no such lead');`,
      },
    ],
  },
  {
    name: 'a day of a buyer with a decision alone is not counted',
    replacements: [
      {
        file: 'functions/data/statistics/sums.ts',
        from: "const cut = name.indexOf(':');",
        to: `const cut = name.indexOf(':');
    if (name.startsWith('approved') && !sums.has(name.replace('approved', 'claims'))) continue;`,
      },
    ],
  },
  {
    name: 'whoever has counted does not look again',
    replacements: [
      {
        file: 'functions/domain/statistics/statistics.ts',
        from: `changed += recounts.length;
      failed = 0;`,
        to: 'return changed + recounts.length;',
      },
    ],
  },
];
