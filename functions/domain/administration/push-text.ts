import * as settingStore from '#functions/data/administration/settings-store';
import type { DataContext } from '#functions/data/context';

/** Names no person, because pushes leave the system. */
export const DEFAULT_PUSH_TEXT = [
  'Lead $$status$$',
  'Source: $$src$$',
  'Buyer: $$buyer_id$$',
  '$$date$$',
].join('\n');

export async function pushText(context: DataContext): Promise<string> {
  return (await settingStore.pushText(context)) ?? DEFAULT_PUSH_TEXT;
}
