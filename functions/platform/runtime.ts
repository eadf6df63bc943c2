/** Time, randomness, ids, log and metrics, passed to every use case so that tests can replace them. */
import { randomBytes, randomInt } from 'node:crypto';
import { ulid } from 'ulid';
import { createLogger, type Logger } from '#functions/platform/logger';
import { type Metrics, systemMetrics } from '#functions/platform/metrics';
import type { Outside } from '#functions/platform/outside';

export interface Beside {
  /** Adds erased leads to the list that outlives the table. */
  readonly keepErased: (erased: {
    readonly erasure_id: string;
    readonly lead_ids: readonly string[];
  }) => Promise<void>;
  /** Removes from the files what is left of erased leads. @returns false when that could not be completed now */
  readonly forget: (leadIds: readonly string[]) => Promise<boolean>;
}

export interface Runtime {
  /** The current instant. */
  readonly now: () => Date;
  /** A new ULID; sorts by `now`. */
  readonly newId: () => string;
  /** A new link token: 256 random bits, base64url. */
  readonly newToken: () => string;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Resolves after so many milliseconds; only for back-off and to bound a wait. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** A signal that aborts after so many milliseconds. */
  readonly timeout: (milliseconds: number) => AbortSignal;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** What the product keeps in files of its own beside the items of the table; absent in the cloud. */
  readonly beside?: Beside;
  /** Answers in place of AWS and of partners; absent in the product. */
  readonly outside?: Outside;
}

/** `randomInt` accepts ranges below 2^48. */
const RANDOM_RANGE = 2 ** 47;

export const systemRuntime: Runtime = {
  now: () => new Date(),
  newId: () => ulid(),
  newToken: () => randomBytes(32).toString('base64url'),
  random: () => randomInt(RANDOM_RANGE) / RANDOM_RANGE,
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
  log: createLogger((line) => process.stdout.write(`${line}\n`)),
  metrics: systemMetrics,
};
