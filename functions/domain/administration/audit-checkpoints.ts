/**
 * Stores the newest link of the audit chain outside the table every day, so that nobody with access to the table can
 * rewrite or truncate the chain unnoticed. `npm run verify audit` compares the chain with all checkpoints.
 */

import type {
  Checkpoint,
  CheckpointDestination,
  CheckpointsSent,
  Link,
} from '#functions/data/administration/audit-chain-store';
import * as auditChainStore from '#functions/data/administration/audit-chain-store';
import type { Context } from '#functions/data/context';
import { errorFields } from '#functions/platform/logger';
import { publishedIn } from '#shared/rules/consent-proof';

const SEND_EVERY_MS = 24 * 3_600_000;

export type SendCheckpoint = (checkpoint: Link, key: string) => Promise<void>;

export interface CheckpointContext extends Context {
  /** The public key that signs proofs of consent. */
  readonly proofKey: () => Promise<string>;
  readonly destinations: Readonly<Partial<Record<CheckpointDestination, SendCheckpoint>>>;
}

/** The next run retries failures. @returns the age of the oldest destination's newest checkpoint in ms; undefined if there is none */
export async function sendCheckpoints(context: CheckpointContext): Promise<number | undefined> {
  const { table, runtime } = context;
  const now = runtime.now();
  let sent = await auditChainStore.checkpointsSent({ table });
  if (sent === undefined) {
    const [newest] = await auditChainStore.newest({ table }, ({ up_to }) => up_to);
    if (newest === undefined) return undefined;
    await auditChainStore.checkpointsBegun({ table }, now.toISOString());
    sent = { since: now.toISOString() };
  }
  const ages: number[] = [];
  const destinations: readonly [CheckpointDestination, SendCheckpoint | undefined][] = [
    ['email', context.destinations.email],
    ['file', context.destinations.file],
  ];
  for (const [destination, send] of destinations)
    if (send !== undefined) ages.push(await sendTo(context, destination, send, sent));
  return ages.length === 0 ? undefined : Math.max(...ages);
}

async function sendTo(
  context: CheckpointContext,
  destination: CheckpointDestination,
  send: SendCheckpoint,
  sent: CheckpointsSent,
): Promise<number> {
  const now = context.runtime.now();
  const ageMs = now.getTime() - new Date(sent[destination] ?? sent.since).getTime();
  // The first e-mail is sent after a day, because a new chain is empty.
  const isDue = ageMs >= SEND_EVERY_MS || (destination === 'file' && sent.file === undefined);
  if (!isDue) return ageMs;
  const [newest] = await auditChainStore.newest(context, ({ up_to }) => up_to);
  if (newest === undefined) return ageMs;
  const key = await context.proofKey();
  try {
    await send(newest, key);
  } catch (error) {
    const { link } = newest;
    context.runtime.log.error('audit checkpoint could not be sent', {
      destination,
      link,
      ...errorFields(error),
    });
    return ageMs;
  }
  await auditChainStore.checkpointSent(context, destination, newest, { at: now.toISOString(), key });
  return 0;
}

export function checkpointLine({ link, hash, sealed_at }: Link, key: string): string {
  return `audit checkpoint ${link} ${hash} ${sealed_at} key ${key}`;
}

export const checkpointsIn = (text: string): Checkpoint[] => [...publishedIn(text).checkpoints];
