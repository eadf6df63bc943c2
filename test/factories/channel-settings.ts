import type { BuyerChannel, BuyerChannelField } from '#shared/channels/channels';

export const SECRET = 'planted-secret-4711';
const SIGNING_SECRET = `whsec_${'planted'.repeat(5)}A`;

/** A value that every rule accepts, as in an API request. */
export function aSetting(field: BuyerChannelField): unknown {
  switch (field.kind) {
    case 'text':
      return '7';
    case 'choice':
      return field.defaultValue;
    case 'host':
      return 'box.example.org';
    case 'address':
      return 'https://box.example.org/leads?id=$$lead_id$$';
    case 'area':
      return `${field.preset === undefined ? '' : 'PUT https://box.example.org/leads\n\n'}{ "email": "$$email$$" }`;
    case 'secret':
      return field.pattern === undefined ? SECRET : SIGNING_SECRET;
    case 'mapping':
      return JSON.parse(field.example);
    case 'pairs':
      return [{ name: 'x-partner', value: '$$src$$' }];
    case 'rules':
      return [{ subject: 'path', path: 'data.state', value: 'known', verdict: 'duplicate' }];
    case 'template':
      return '01ARZ3NDEKTSV4RRFFQ69G5FAV';
  }
}

/** All settings of an enabled channel, with the choices that its fields depend on. */
export const settingsWith = (
  { flag, fields }: BuyerChannel,
  shown?: BuyerChannelField,
): Record<string, unknown> => ({
  ...Object.fromEntries(fields.map((field) => [field.name, aSetting(field)])),
  // Few fields apply to the default choices.
  ...Object.fromEntries(
    fields.flatMap(({ shownWhen }) =>
      shownWhen === undefined ? [] : [[shownWhen.name, shownWhen.oneOf[0]]],
    ),
  ),
  ...(shown?.shownWhen && { [shown.shownWhen.name]: shown.shownWhen.oneOf[0] }),
  [flag]: true,
});
