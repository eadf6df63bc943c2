/**
 * Sends the newest link of the audit trail's chain outside of the table every day, so that nobody who can write the table can
 * rewrite the chain, or cut it off, unseen. `npm run verify audit` compares the chain with all of them.
 */

import type { Head, HeadPlace, HeadsSent, Link } from '#functions/data/administration/audit-chain-store';
import * as auditChainStore from '#functions/data/administration/audit-chain-store';
import type { Context } from '#functions/data/context';
import { errorFields } from '#functions/platform/logger';

const SEND_EVERY_MS = 24 * 3_600_000;

/** Sends a head to one place. @throws Error when it cannot be sent */
export type SendHead = (head: Link) => Promise<void>;

export interface HeadContext extends Context {
  readonly places: Readonly<Partial<Record<HeadPlace, SendHead>>>;
}

/**
 * Sends the newest head to every place that has had none for a day. What fails is logged and tried again by the next run.
 * @returns the age of the newest head at the place where it is oldest, in milliseconds; undefined without a
 *   place or a chain
 */
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

/** A head in one line, as it is kept outside. */
export function headLine({ link, hash, sealed_at }: Link): string {
  return `audit head ${link} ${hash} ${sealed_at}`;
}

/** The heads in a text of any kind: files of heads, e-mails, log lines that quote them. */
export function headsIn(text: string): Head[] {
  return [...text.matchAll(/audit head (\d+) ([\w-]{43})/g)].map(([, link, hash = '']) => ({
    link: Number(link),
    hash,
  }));
}
