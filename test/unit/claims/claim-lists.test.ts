/** Searching and paging claims, without a table. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockOf, blockRangeOf, totalOf } from '#functions/data/claims/claim-lists';
import {
  type Lookup,
  type Posting,
  phoneLookups,
  phonePositionOf,
  postingsOf,
  termsOf,
} from '#functions/data/claims/claim-words';
import { CLAIM_STATUSES, type ClaimStatus } from '#shared/rules/constants';

const CLAIM = { claim_id: 4711, lead_id: '01K5ABCDEFGHJKMNPQRSTVWXYZ', order_id: 345, sequence: 12 };
const PERSON = {
  vorname: 'Jürgen',
  nachname: 'Müller-Lüdenscheidt',
  email: 'J.Mueller@Web.example.org',
  telefon: '+49 (0)151 / 234-56789',
};

const FOUND = `
  m|mü|MÜLL|mueller|muller|Müller-Lüdenscheidt|müller lüd|lüdenscheidt jürgen|jurgen|luedenscheid
  j.mueller@web.example.org|j.muller|j.mu|web.example|J.MUELLER@W
  0151|151 234|0151 234 567 89|+49 151 23456789|+4915123456789|0049151|0151/23456789|0151-23456789|(0151) 234
  6789|2345|345 67|4915|49151234|9151|müller 5678|+49 15|+49(0)151 2
  4711|47|345-12|345-|345|01K5ABCDEFGHJKMNPQRSTVWXYZ|01k5abcdefghj|  müller  |müller 4711|4711 345
`
  .trim()
  .split(/[|\n]/);

/** Whether a search finds a claim by its postings. */
function finds(search: string, postings: readonly Posting[]): boolean {
  const terms = termsOf(search);
  return (
    terms.length > 0 &&
    terms.every((alternatives) =>
      alternatives.some((lookups) =>
        lookups.every((lookup) => ('phone' in lookup ? hasPart(lookup, postings) : has(lookup, postings))),
      ),
    )
  );
}

function has({ tier, prefix, exact }: Exclude<Lookup, { phone: unknown }>, postings: readonly Posting[]) {
  return postings.some(
    (posting) => posting.tier === tier && (exact ? posting.word === prefix : posting.word.startsWith(prefix)),
  );
}

/** All lookups of a term share one position. */
function hasPart({ phone }: Extract<Lookup, { phone: unknown }>, postings: readonly Posting[]): boolean {
  const places = phoneLookups(phone).map(({ tier, prefix, offset }) =>
    postings
      .filter((posting) => posting.tier === tier && posting.word.startsWith(prefix))
      .map(({ word }) => phonePositionOf(word) - offset),
  );
  return (places[0] ?? []).some(
    (place) => (!phone.atStart || place === 0) && places.every((others) => others.includes(place)),
  );
}

describe('searching', () => {
  const postings = postingsOf(CLAIM, PERSON);

  it.each(FOUND)('finds by %s', (search) => {
    expect(finds(search, postings)).toBe(true);
  });

  it.each([
    'üller',
    'meier',
    'müller meier',
    'mueller@',
    '0161',
    '7890',
    '2345 8',
    '23456 234',
    '0049 234',
    '4712',
    '345-13',
    '45-12',
    '<script>',
    '---',
    ' ',
  ])('does not find by %s', (search) => {
    expect(finds(search, postings)).toBe(false);
  });

  it('finds by every prefix of a name of any length', () => {
    const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzäöüßéñ'.split(''));
    fc.assert(
      fc.property(fc.array(letter, { minLength: 1, maxLength: 30 }), fc.nat(29), (letters, cut) => {
        const nachname = letters.join('');
        const search = letters.slice(0, (cut % letters.length) + 1).join('');
        expect(finds(search, postingsOf(CLAIM, { ...PERSON, nachname }))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('finds by any four or more consecutive digits of a phone number, and no others', () => {
    const digits = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 3, maxLength: 13 });
    fc.assert(
      fc.property(
        digits,
        digits,
        fc.nat(12),
        fc.integer({ min: 4, max: 14 }),
        (number, others, from, length) => {
          const telefon = `01${number.join('')}`;
          const own = postingsOf(
            { ...CLAIM, claim_id: 9, order_id: 9 },
            { ...PERSON, email: 'x@y.example', telefon },
          );
          const part = telefon.slice(Math.min(from, telefon.length - 4)).slice(0, length);
          if (part.length >= 4) expect(finds(part, own)).toBe(true);
          const other = others.join('');
          if (other.length >= 4 && !other.startsWith('00'))
            expect(finds(other, own)).toBe(telefon.includes(other));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('never needs more postings than fit into a transaction', () => {
    const words = Array.from({ length: 30 }, (_, at) => `${at}langername${at}`).join(' ');
    const others = Array.from({ length: 30 }, (_, at) => `${at}andere${at}`).join(' ');
    const idsOf = (all: readonly Posting[]) => new Set(all.map(({ tier, word }) => `${tier} ${word}`));
    const was = idsOf(postingsOf(CLAIM, { ...PERSON, vorname: words, nachname: words }));
    const is = idsOf(
      postingsOf(CLAIM, { vorname: others, nachname: others, email: 'x@y.example', telefon: '99' }),
    );
    expect(was.size).toBeLessThanOrEqual(60);
    // The same transaction writes the lead, the claim, its three rows and the audit entry.
    expect(
      [...was].filter((id) => !is.has(id)).length + [...is].filter((id) => !was.has(id)).length,
    ).toBeLessThanOrEqual(94);
    expect(new Set(postings.map(({ tier, word }) => `${tier} ${word}`)).size).toBe(postings.length);
  });

  it('ignores punctuation, and does not treat a lead number as a phone number', () => {
    for (const search of ['müller ---', '??? 4711']) expect(finds(search, postings)).toBe(true);
    const other = postingsOf({ ...CLAIM, order_id: 9 }, { ...PERSON, telefon: '0151 345129' });
    expect([finds('345-12', other), finds('34512', other)]).toEqual([false, true]);
  });

  it('cuts long words and long numbers to the indexed length', () => {
    const long = { ...PERSON, nachname: 'x'.repeat(80), telefon: `0151${'2'.repeat(30)}` };
    const words = postingsOf(CLAIM, long).map(({ word }) => word);
    expect(words.findLast((word) => word.startsWith('x'))).toBe('x'.repeat(64));
    expect(words.filter((word) => word.includes('#'))).toHaveLength(13);
    expect(finds('x'.repeat(80), postingsOf(CLAIM, long))).toBe(true);
  });

  it('creates valid table keys for any text', () => {
    const broken = fc.array(fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          broken.map((units) => units.join('')),
        ),
        (text) => {
          const person = { vorname: text, nachname: text, email: text, telefon: text };
          for (const { word } of postingsOf(CLAIM, person)) {
            expect(word).not.toBe('');
            // Throws for half a surrogate pair.
            expect(encodeURIComponent(word)).not.toBe('');
            expect(encodeURIComponent(word.slice(0, 1))).not.toBe('');
          }
        },
      ),
    );
  });
});

describe('a page by date', () => {
  const status = fc.constantFrom(...CLAIM_STATUSES);

  it('has the same claims as that part of the whole list', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ status, gap: fc.constantFrom(1, 1, 1, 2, 90, 700) }), { maxLength: 400 }),
        fc.subarray([...CLAIM_STATUSES], { minLength: 1 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom(10, 20, 50, 100),
        (claims, statuses, descending, page, limit) => {
          let id = 0;
          const all = claims.map((claim) => ({ id: (id += claim.gap), status: claim.status }));
          const counts = new Map<number, Record<ClaimStatus, number>>();
          for (const claim of all) {
            const block = counts.get(blockOf(claim.id)) ?? { pending: 0, approved: 0, rejected: 0 };
            block[claim.status] += 1;
            counts.set(blockOf(claim.id), block);
          }
          const wanted = all
            .filter((claim) => statuses.includes(claim.status))
            .map((claim) => claim.id)
            .toSorted((a, b) => (descending ? b - a : a - b));
          const offset = (page - 1) * limit;
          const range = blockRangeOf(counts, statuses, descending, offset, limit);
          const read = wanted.filter(
            (claim) => range && blockOf(claim) >= range.first && blockOf(claim) <= range.last,
          );
          const start = offset - (range?.skipped ?? 0);
          expect(read.slice(start, start + limit)).toEqual(wanted.slice(offset, offset + limit));
          expect(totalOf(counts, statuses)).toBe(wanted.length);
          // Only the blocks that overlap with the page are read.
          expect(read.length).toBeLessThanOrEqual(limit + 2 * 250);
        },
      ),
      { numRuns: 100 },
    );
  });
});
