/** The state that a mutation run restores before it repeats a test. */
export interface Rewindable {
  /** Saves the current state. */
  keep(): void;
  /** Restores the saved state. */
  rewind(): Promise<void>;
}

/** Per process, because Vitest loads its runner and the tests separately. */
const shared = globalThis as { __rewindables__?: Set<Rewindable> };
export const rewindables: Set<Rewindable> = (shared.__rewindables__ ??= new Set());
