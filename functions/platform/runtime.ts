/** Everything that tests replace. */
import { randomBytes, randomInt } from 'node:crypto';
import { ulid } from 'ulid';
import type { ExternalServices } from '#functions/platform/external-services';
import { createLogger, type Logger } from '#functions/platform/logger';
import { type Metrics, systemMetrics } from '#functions/platform/metrics';

export interface Sidecar {
  /** The list of erased leads outlives the table. */
  readonly keepErased: (erased: {
    readonly erasure_id: string;
    readonly lead_ids: readonly string[];
  }) => Promise<void>;
  /** @returns false if that could not be completed now */
  readonly forget: (leadIds: readonly string[]) => Promise<boolean>;
}

export interface Runtime {
  readonly now: () => Date;
  /** A ULID; sorts by `now`. */
  readonly newId: () => string;
  /** 256 random bits, base64url. */
  readonly newToken: () => string;
  /** In [0, 1). */
  readonly random: () => number;
  /** Only for back-off and to bound a wait. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly timeout: (milliseconds: number) => AbortSignal;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Files of a local installation; absent in the cloud. */
  readonly sidecar?: Sidecar;
  /** Replaces AWS and partners; absent in the product. */
  readonly externalServices?: ExternalServices;
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
