/** The text of a push notification, with macros. */

import * as settingStore from '#functions/data/administration/settings-store';
import type { DataContext } from '#functions/data/context';

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
export async function pushText(context: DataContext): Promise<string> {
  return (await settingStore.pushText(context)) ?? DEFAULT_PUSH_TEXT;
}
