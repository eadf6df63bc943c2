/** The text of a push notification, with macros. */
import type { SettingStore } from '#functions/data/administration/settings-store';

/** Used until an admin saves a text. */
export const DEFAULT_PUSH_TEXT = [
  'Lead $$status$$: $$anrede$$ $$vorname$$ $$nachname$$',
  'E-Mail: $$email$$',
  'Telefon: $$telefon$$',
  'Anlagebetrag: $$anlagebetrag$$ €',
  'Quelle: $$src$$',
  'Buyer: $$buyer_id$$ ($$buyer_email$$)',
  '$$date$$',
].join('\n');

/** The text as saved, or the built-in one. */
export async function pushText(deps: { readonly settings: Pick<SettingStore, 'pushText'> }): Promise<string> {
  return (await deps.settings.pushText()) ?? DEFAULT_PUSH_TEXT;
}
