import * as settingStore from '#functions/data/administration/settings-store';
import type { DataContext } from '#functions/data/context';

export const DEFAULT_PUSH_TEXT = [
  'Lead $$status$$: $$anrede$$ $$vorname$$ $$nachname$$',
  'E-Mail: $$email$$',
  'Telefon: $$telefon$$',
  'Anlagebetrag: $$anlagebetrag$$ €',
  'Quelle: $$src$$',
  'Buyer: $$buyer_id$$ ($$buyer_email$$)',
  '$$date$$',
].join('\n');

export async function pushText(context: DataContext): Promise<string> {
  return (await settingStore.pushText(context)) ?? DEFAULT_PUSH_TEXT;
}
