/** What a mutation run takes back before it runs a test again. */
export interface Rewindable {
  /** Remembers the present state. */
  keep(): void;
  /** Goes back to the state that was remembered. */
  rewind(): Promise<void>;
}

/** Of this process: Vitest loads its runner and the tests apart from each other. */
const shared = globalThis as { __rewindables__?: Set<Rewindable> };
export const rewindables: Set<Rewindable> = (shared.__rewindables__ ??= new Set());
