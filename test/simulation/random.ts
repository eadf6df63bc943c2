/**
 * Seeded randomness. Every draw names what it decides, and depends only on the seed and that name. An additional call
 * shifts no other draw, so a shrunk or changed history stays close to the original.
 */

/** A 32-bit hash of a text (FNV-1a with a final mix, so that similar texts differ in every bit). */
export function hash32(text: string, seed = 0): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A sequence of numbers in [0, 1): mulberry32. */
export function sequence(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws by name: the n-th draw of a name does not depend on other draws. */
export class Draws {
  readonly #seed: number;
  readonly #counts = new Map<string, number>();

  constructor(seed: number) {
    this.#seed = seed >>> 0;
  }

  /** A number in [0, 1). */
  next(name: string): number {
    const count = this.#counts.get(name) ?? 0;
    this.#counts.set(name, count + 1);
    return hash32(name, Math.imul(this.#seed, 0x9e3779b1) ^ Math.imul(count + 1, 0x85ebca77)) / 2 ** 32;
  }

  /** A whole number from 0 to `below` - 1. */
  below(name: string, below: number): number {
    return Math.floor(this.next(name) * below);
  }

  chance(name: string, probability: number): boolean {
    return probability > 0 && this.next(name) < probability;
  }

  pick<T>(name: string, list: readonly T[]): T {
    const chosen = list[this.below(name, list.length)];
    if (chosen === undefined) throw new RangeError(`Nothing to pick from for ${name}`);
    return chosen;
  }
}
