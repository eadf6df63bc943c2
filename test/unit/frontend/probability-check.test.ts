/** The buyer form and the server agree on every weight. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkTypedProbability, weightsOf } from '#frontend/admin/buyers/weights';
import type { PoolEntry } from '#functions/data/buyers/buyer';
import type { Pool } from '#functions/data/distribution/pool-store';
import { checkWeights } from '#functions/domain/buyers/weights';
import { DomainError } from '#functions/domain/common/errors';
import { aPoolEntry } from '#test/factories/buyers';

const poolEntry = (buyer: number, probability: number, active = true, order_id: number | null = buyer) =>
  aPoolEntry({ buyer, buyer_id: String(buyer), probability, active, order_id });

const OWN = 0;

function serverSays(poolEntries: readonly PoolEntry[], probability: number) {
  const pool = { entries: poolEntries } as unknown as Pool;
  try {
    return checkWeights(pool, { buyer: OWN, probability }, true).size === 0 ? 'fits' : 'exclusive';
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return 'exceeds';
  }
}

function formSays(poolEntries: readonly PoolEntry[], typed: string, stored?: number) {
  const rows = poolEntries
    .filter(({ active, order_id }) => active && order_id !== null)
    .map(({ buyer_id, probability }) => ({ buyer_id, probability: probability / 100 }));
  const buyer = stored === undefined ? undefined : { buyer_id: String(OWN), probability: stored / 100 };
  return checkTypedProbability(typed, weightsOf(rows, buyer));
}

const german = (hundredths: number) => (hundredths / 100).toFixed(2).replace('.', ',');

describe('a probability in the buyer form', () => {
  it('is validated like on the server, for any buyers', () => {
    const probability = fc.oneof(fc.nat(10_000), fc.constantFrom(0, 1, 3333, 3334, 10_000));
    const others = fc.array(
      fc.record({
        probability: fc.oneof(fc.nat(400), probability),
        active: fc.boolean(),
        ordered: fc.boolean(),
      }),
      { maxLength: 40 },
    );
    const seen = new Set<string>();
    fc.assert(
      fc.property(others, probability, (list, own) => {
        const poolEntries = list.map((one, at) =>
          poolEntry(at + 1, one.probability, one.active, one.ordered ? at + 1 : null),
        );
        const said = serverSays(poolEntries, own);
        seen.add(said);
        expect(formSays(poolEntries, german(own))).toBe(said);
      }),
      { numRuns: 2000 },
    );
    expect([...seen].toSorted()).toEqual(['exceeds', 'exclusive', 'fits']);
  });

  it('may stay unchanged even if the others exceed the total', () => {
    const poolEntries = [poolEntry(1, 9000), poolEntry(OWN, 2000)];
    expect(formSays(poolEntries, '20', 2000)).toBe('fits');
    expect(formSays(poolEntries, '20,01', 2000)).toBe('exceeds');
    expect(formSays(poolEntries, '10', 2000)).toBe('fits');
  });
});
