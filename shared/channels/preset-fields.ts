/**
 * Request and answer rules of channels with a preset, which empty fields use (docs/adr/0062-http-channel-and-presets.md).
 */
import type { AnswerRule } from '#shared/rules/answer-rules';

export type PresetChannel = 'heroleads' | 'sellanylead';

export const rule = (
  subject: AnswerRule['subject'],
  value: string,
  verdict: AnswerRule['verdict'],
  path = '',
): AnswerRule => ({ subject, path, value, verdict });

/** Status 2xx is accepted unless the answer reports a failure. */
export const PRESET_RULES: readonly AnswerRule[] = [
  rule('status', '409', 'duplicate'),
  rule('path', 'duplicate', 'duplicate', 'status'),
  rule('path', 'false', 'refused', 'success'),
  ...['error', 'failed', 'false'].map((value) => rule('path', value, 'refused', 'status')),
  rule('status', '400, 422', 'refused'),
];

export const ID_PATH_LABEL = 'Path to the partner’s ID';

const folded = 'Request and answers';

/** @param preset with `$$custom_data$$` for the buyer's mapping and `$$secret$$` for the key */
export const presetFields = <const Prefix extends PresetChannel>(prefix: Prefix, preset: string) =>
  [
    {
      name: `${prefix}_request`,
      kind: 'area',
      label: 'Request',
      description:
        'Method and address, headers, an empty line, body. Leave empty for the preset. A JSON body can use $$custom_data$$ (the mapping), for the lead broker also $$lead_type_id$$.',
      maxLength: 5000,
      preset,
      folded,
    },
    {
      name: `${prefix}_rules`,
      kind: 'rules',
      label: 'Answer rules',
      description:
        'The first matching rule decides; without a match, the status does. Without rules, the preset’s rules apply.',
      maxEntries: 20,
      preset: PRESET_RULES,
      folded,
    },
    {
      name: `${prefix}_id_path`,
      kind: 'text',
      label: ID_PATH_LABEL,
      description: 'Paths in the answer, separated by commas. The first that finds an ID counts.',
      maxLength: 200,
      defaultValue: 'id, lead_id, uuid, data.id, data.lead_id, lead.id',
      folded,
    },
  ] as const;

/** A request as in HTTP/1.1. */
export function readRequest(text: string) {
  const [, head = '', http_body = ''] =
    /^(.*?)(?:\n[ \t]*\n(.*))?$/s.exec(text.replaceAll('\r', '').trim()) ?? [];
  const [first = '', ...lines] = head.split('\n');
  const [http_method = '', ...address] = first.trim().split(/\s+/);
  const http_headers = lines.map((line) => {
    const [name = '', ...value] = line.split(':');
    return { name: name.trim(), value: value.join(':').trim() };
  });
  const type = http_headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';
  const http_body_kind =
    /(?<=x-www-)form(?=-urlencoded)|(?<=[/+])xml\b/.exec(type.toLowerCase())?.[0] ?? 'json';
  return { http_method, http_url: address.join(' '), http_headers, http_body_kind, http_body };
}
