import { DomainError } from '#functions/domain/common/errors';

/** By error code. The rules for filing (`shared/rules/claim-windows.ts`) have their own texts. */
const TEXTS: ReadonlyMap<string, string> = new Map([
  ['link_required', 'Bitte öffnen Sie die Liste über Ihren Link.'],
  ['token_not_found', 'Dieser Link ist nicht gültig.'],
  ['token_mismatch', 'Lead, Bestellung und Käufer gehören nicht zu diesem Link.'],
  ['claim_mismatch', 'Lead, Bestellung und Käufer gehören nicht zusammen.'],
  ['lead_not_found', 'Lead nicht gefunden.'],
  ['lead_not_claimable', 'Dieser Lead gehört nicht mehr zu dieser Liste und kann nicht reklamiert werden.'],
  ['claim_not_found', 'Zu diesem Lead gibt es keine Reklamation.'],
  ['link_not_found', 'Dieser Link ist nicht gültig.'],
  ['lead_not_listed', 'Dieser Lead gehört nicht mehr zu dieser Liste.'],
  ['feedback_full', 'Zu diesem Lead sind schon 50 Rückmeldungen notiert. Weitere sind nicht möglich.'],
  ['no_such_feedback', 'Diese Rückmeldung gibt es nicht.'],
  ['person_erased', 'Die Daten dieser Person wurden gelöscht.'],
  ['changed_meanwhile', 'Bitte versuchen Sie es noch einmal.'],
]);

export async function refusedInGerman<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const text = error instanceof DomainError ? TEXTS.get(error.code) : undefined;
    throw error instanceof DomainError && text !== undefined
      ? new DomainError(error.kind, error.code, text)
      : error;
  }
}
