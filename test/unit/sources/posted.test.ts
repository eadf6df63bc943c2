/** The hash of a posted lead that recognises its repetition. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readPosted } from '#functions/api/intake/posted';
import { aPostedLead } from '#test/factories/sources';

const contentOf = (row: object) => {
  const read = readPosted(
    { mapping: {}, defaults: {}, consent: 'ignore', consent_texts: [] },
    row,
    new Date('2026-06-01T10:00:00Z'),
  );
  if (!('posted' in read)) throw new Error(JSON.stringify(read));
  return read.posted.content;
};

/** The fields of an object, nested ones included, in another order. */
function shuffled(value: unknown, order: readonly number[]): unknown {
  if (Array.isArray(value)) return value.map((one) => shuffled(one, order));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, one], at) => ({
        entry: [name, shuffled(one, order)],
        place: order[at % order.length] ?? 0,
      }))
      .sort((one, other) => one.place - other.place)
      .map(({ entry }) => entry as [string, unknown]),
  );
}

it('is the same for any order of fields', () => {
  const extra = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });
  const order = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 15, maxLength: 15 });
  fc.assert(
    fc.property(extra, order, (more, places) => {
      const lead = { ...more, ...aPostedLead() };
      expect(contentOf(shuffled(lead, places) as object)).toBe(contentOf(lead));
    }),
  );
});

it('differs if a field, a value or the order of a list differs', () => {
  const lead = aPostedLead();
  const contents = [
    lead,
    { ...lead, nachname: 'Anders' },
    { ...lead, note: 'x' },
    { ...lead, note: ['x', 'y'] },
    { ...lead, note: ['y', 'x'] },
    { ...lead, note: { x: 'y' } },
    { ...lead, note: { x: { y: '' } } },
  ].map(contentOf);
  expect(new Set(contents).size).toBe(contents.length);
});

it('is the same for a number and its text', () => {
  const lead = aPostedLead();
  expect(contentOf({ ...lead, laufzeit: String(lead.laufzeit) })).toBe(contentOf(lead));
});

it.each([40, 2400])('stays short for a field nested %i levels deep', (levels) => {
  const note: unknown = JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  expect(contentOf({ ...aPostedLead(), note }).length).toBeLessThan(10_000);
});
