/**
 * Sends the newest link of the audit chain outside the table every day, so that nobody with access to the table can rewrite or cut off the
 * chain unnoticed. `npm run verify audit` compares the chain with all of them.
 */

import type { Head, HeadPlace, HeadsSent, Link } from '#functions/data/administration/audit-chain-store';
import * as auditChainStore from '#functions/data/administration/audit-chain-store';
import type { Context } from '#functions/data/context';
import { errorFields } from '#functions/platform/logger';

const SEND_EVERY_MS = 24 * 3_600_000;

export type SendHead = (head: Link) => Promise<void>;

export interface HeadContext extends Context {
  readonly places: Readonly<Partial<Record<HeadPlace, SendHead>>>;
}

/** Failures are retried by the next run. @returns the greatest age of a place's newest head in ms; undefined without any */
export async function sendHeads(context: HeadContext): Promise<number | undefined> {
  const { table, runtime } = context;
  const now = runtime.now();
  let sent = await auditChainStore.headsSent({ table });
  if (sent === undefined) {
    const [newest] = await auditChainStore.newest({ table }, ({ up_to }) => up_to);
    if (newest === undefined) return undefined;
    await auditChainStore.headsBegun({ table }, now.toISOString());
    sent = { since: now.toISOString() };
  }
  const ages: number[] = [];
  const places: readonly [HeadPlace, SendHead | undefined][] = [
    ['email', context.places.email],
    ['file', context.places.file],
  ];
  for (const [place, send] of places)
    if (send !== undefined) ages.push(await sendTo(context, place, send, sent));
  return ages.length === 0 ? undefined : Math.max(...ages);
}

async function sendTo(
  context: HeadContext,
  place: HeadPlace,
  send: SendHead,
  sent: HeadsSent,
): Promise<number> {
  const now = context.runtime.now();
  const ageMs = now.getTime() - new Date(sent[place] ?? sent.since).getTime();
  // The first e-mail comes after a day, when there is something to keep.
  const isDue = ageMs >= SEND_EVERY_MS || (place === 'file' && sent.file === undefined);
  if (!isDue) return ageMs;
  const [newest] = await auditChainStore.newest(context, ({ up_to }) => up_to);
  if (newest === undefined) return ageMs;
  try {
    await send(newest);
  } catch (error) {
    context.runtime.log.error('audit head could not be sent', {
      place,
      link: newest.link,
      ...errorFields(error),
    });
    return ageMs;
  }
  await auditChainStore.headSent(context, place, now.toISOString());
  return 0;
}

export function headLine({ link, hash, sealed_at }: Link): string {
  return `audit head ${link} ${hash} ${sealed_at}`;
}

export function headsIn(text: string): Head[] {
  return [...text.matchAll(/audit head (\d+) ([\w-]{43})/g)].map(([, link, hash = '']) => ({
    link: Number(link),
    hash,
  }));
}
