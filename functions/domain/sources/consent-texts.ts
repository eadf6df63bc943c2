/** The wordings of consent that a source's leads may name. They are numbered, and a change is a new one. */
import type { Context, DataContext } from '#functions/data/context';
import * as consentTextStore from '#functions/data/leads/consent-text-store';
import type { ConsentText, Source } from '#functions/data/sources/source';
import * as sourceStore from '#functions/data/sources/source-store';
import { aboutSource, auditEntry } from '#functions/domain/common/audit';
import { conflict, notFound } from '#functions/domain/common/errors';
import { retryOnConflict } from '#functions/domain/common/retry-on-conflict';
import { requireSource } from '#functions/domain/sources/sources';
import { CONFLICT } from '#functions/platform/retry';
import { MAX_CONSENT_TEXTS } from '#shared/rules/consent';

/** Newest last. */
export const textsOf = (
  context: DataContext,
  { consent_texts: texts }: Source,
): Promise<(ConsentText & { readonly text: string })[]> =>
  Promise.all(
    texts.map(async (one) => ({ ...one, text: (await consentTextStore.get(context, one.hash)) ?? '' })),
  );

/** The newest one again changes nothing. @throws DomainError 404; 409 if there are too many */
export async function addConsentText(
  context: Context,
  who: string,
  id: number,
  text: string,
): Promise<Source> {
  const hash = consentTextStore.wordingHash(text);
  return retryOnConflict(context.runtime, async () => {
    const before = await requireSource(context, id);
    const { consent_texts: texts, consent_text_count: count } = before;
    if (texts.at(-1)?.hash === hash) return before;
    if (texts.length >= MAX_CONSENT_TEXTS)
      throw conflict(
        'too_many_consent_texts',
        `A source has at most ${MAX_CONSENT_TEXTS} wordings. Retire one first.`,
      );
    const added: ConsentText = {
      id: `v${count + 1}`,
      hash,
      created_at: context.runtime.now().toISOString(),
    };
    // Before the source names it, so that its text can always be read.
    await consentTextStore.keep(context, hash, text, added.created_at);
    const changes = { consent_texts: [...texts, added], consent_text_count: count + 1 };
    const written = await context.table.transact([
      ...sourceStore.changed(before, changes),
      auditEntry(context, {
        who,
        action: 'consent_text_added',
        ...aboutSource(before),
        after: { consent_text: added.id, sha256: hash },
      }),
    ]);
    return written.ok ? requireSource(context, id) : CONFLICT;
  });
}

/** No further lead may name it; the leads that do keep it. @throws DomainError 404 */
export async function retireConsentText(
  context: Context,
  who: string,
  id: number,
  textId: string,
): Promise<Source> {
  return retryOnConflict(context.runtime, async () => {
    const before = await requireSource(context, id);
    const retired = before.consent_texts.find((one) => one.id === textId);
    if (retired === undefined) throw notFound('Wording');
    const left = before.consent_texts.filter((one) => one !== retired);
    const written = await context.table.transact([
      ...sourceStore.changed(before, { consent_texts: left }),
      auditEntry(context, {
        who,
        action: 'consent_text_retired',
        ...aboutSource(before),
        before: { consent_text: retired.id, sha256: retired.hash },
      }),
    ]);
    return written.ok ? requireSource(context, id) : CONFLICT;
  });
}
