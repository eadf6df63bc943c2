/** Records what mail servers and SES report about e-mail addresses. See `docs/adr/0049-refused-and-bounced-leads.md`. */

import type { Report } from '#functions/channels/channel';
import {
  type Address,
  type AddressEvent,
  type AddressState,
  withEvent,
  withoutEvents,
} from '#functions/data/deliveries/address';
import type { AddressContext } from '#functions/data/deliveries/address-store';
import * as addressStore from '#functions/data/deliveries/address-store';
import { retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { errorFields } from '#functions/platform/logger';
import { CONFLICT } from '#functions/platform/retry';
import { berlinDay } from '#shared/rules/working-days';

async function change(
  context: AddressContext,
  email: string,
  changed: (before: Address) => Address,
  consistent = true,
): Promise<void> {
  await retryOnConflict(context.runtime, async () => {
    const stored = await addressStore.read(context, email, consistent);
    const after = changed(stored.address);
    if (after === stored.address) return undefined;
    return (await addressStore.write(context, stored, after, context.runtime.now())) ? undefined : CONFLICT;
  });
}

export async function noteEvent(context: AddressContext, email: string, event: AddressEvent): Promise<void> {
  const { diagnostic } = event;
  const noted = { ...event, diagnostic: diagnostic === null ? null : withoutAddresses(diagnostic) };
  await change(context, email, (before) => withEvent(before, noted));
}

export async function noteWorks(context: AddressContext, email: string, at: string): Promise<void> {
  await change(context, email, (before) =>
    before.events.length === 0 ? before : withoutEvents(before, 'works_since', at),
  );
}

const isRefused = ({ events }: Address) => events.some(({ by }) => by === 'smtp');

/** Never throws, because the next attempt reports the same. A success does not clear what SES reported. */
export async function noteReport(
  context: AddressContext,
  email: string,
  id: string,
  report: Pick<Report, 'outcome' | 'bounce' | 'answer'>,
): Promise<void> {
  const at = context.runtime.now().toISOString();
  try {
    if (report.bounce !== undefined) {
      const { hard, code } = report.bounce;
      const state = hard ? 'bounced_hard' : 'bounced_soft';
      await noteEvent(context, email, { id, state, at, by: 'smtp', code, diagnostic: report.answer });
    } else if (report.outcome === 'delivered') {
      await change(
        context,
        email,
        (before) => (isRefused(before) ? withoutEvents(before, 'taken_since', at) : before),
        false,
      );
    }
  } catch (error) {
    context.runtime.log.error('address state could not be written', errorFields(error));
  }
}

/** Continues a sentence that begins with "The address". */
export function addressProblem({ state, first_at, by, code }: AddressState): string {
  const since = `since ${berlinDay(new Date(first_at))}`;
  const who = by === 'ses' ? 'SES' : 'the mail server';
  const why = code === null ? '' : `, status ${code}`;
  switch (state) {
    case 'bounced_soft':
      return `temporarily rejects e-mails, ${since} (${who}${why})`;
    case 'bounced_hard':
      return `does not exist or rejects e-mails, ${since} (${who}${why})`;
    case 'complained':
      return `marked an e-mail as spam, ${since} (${who}${why})`;
  }
}

const ADDRESS = /[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g;
const KEPT_CHARACTERS = 300;

export function withoutAddresses(diagnostic: string): string {
  const text = diagnostic.replace(ADDRESS, '[address]').replace(/\s+/g, ' ').trim().toWellFormed();
  return Array.from(text).slice(0, KEPT_CHARACTERS).join('');
}
