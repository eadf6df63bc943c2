/** Seeded random numbers. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number from 0 to `limit`, exclusive. */
  below(limit: number): number;
  /** @throws RangeError for an empty list */
  pick<T>(list: readonly T[]): T;
  shuffled<T>(list: readonly T[]): T[];
  /** One of the keys, with its value as the weight. */
  weighted<Key extends string>(weights: Readonly<Record<Key, number>>): Key;
}

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  // Mulberry32 (Tommy Ettinger, public domain), because the low bits of a linear congruential generator are not random enough.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    pick(list) {
      if (list.length === 0) throw new RangeError('An empty list');
      return list[below(list.length)]!;
    },
    shuffled(list) {
      const places = list.map((item) => ({ item, place: next() }));
      return places.toSorted((a, b) => a.place - b.place).map(({ item }) => item);
    },
    weighted(weights) {
      const entries = Object.entries(weights) as [keyof typeof weights, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [key, weight] of entries) {
        left -= weight;
        if (left < 0) return key;
      }
      return entries.at(-1)![0];
    },
  };
}
