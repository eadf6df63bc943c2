/** The calls of channels with a preset, as settings of the HTTP channel. */
import type { SettingValues } from '#shared/channels/channels';
import { HEROLEADS_REQUEST } from '#shared/channels/heroleads';
import { PRESET_RULES, type PresetChannel, readRequest } from '#shared/channels/preset-fields';
import { SELLANYLEAD_REQUEST } from '#shared/channels/sellanylead';
import { httpProblems } from '#shared/rules/http-request';
import { isNumeric } from '#shared/rules/lead-values';

export const PRESETS = { heroleads: HEROLEADS_REQUEST, sellanylead: SELLANYLEAD_REQUEST } as const;
/** `custom_data` for a buyer without a mapping. */
const DEFAULT_MAPPING = { anlagebetrag: 'anlagebetrag', laufzeit: 'laufzeit', click_id: 'clickId' };

export function presetCall(channel: PresetChannel, settings: SettingValues) {
  const isBroker = channel === 'heroleads';
  const secret = settings[`${channel}_api_key`];
  const isKeyless = !isBroker && secret === null;
  const rules = settings[`${channel}_rules`];
  const mapping = settings.custom_data_mapping;
  const isMapped = Object.keys(mapping).length > 0;
  const request = readRequest(settings[`${channel}_request`] ?? PRESETS[channel]);
  return {
    ...request,
    http_auth: isKeyless ? 'none' : 'macro',
    http_headers: request.http_headers.filter(({ value }) => !isKeyless || !value.includes('$$secret$$')),
    http_user: null,
    http_key_name: null,
    http_secret: secret,
    http_second_secret: null,
    http_body: withSettings(request, {
      custom_data: jsonOf(isMapped || !isBroker ? mapping : DEFAULT_MAPPING),
      lead_type_id: isBroker ? leadTypeOf(settings.heroleads_lead_type_id) : undefined,
    }),
    http_rules: [...(rules.length > 0 ? rules : PRESET_RULES)],
    http_id_path: settings[`${channel}_id_path`],
    http_signature: 'none',
  };
}

export function presetProblems(channel: PresetChannel, settings: SettingValues) {
  // A missing lead type is reported at its own field.
  const { heroleads_lead_type_id: type } = settings;
  const call = presetCall(channel, { ...settings, heroleads_lead_type_id: type ?? '0' });
  const { http_url, http_headers, http_body, http_rules, http_id_path } = httpProblems(call);
  const request = /^(?:GET|POST|PUT|PATCH)$/.test(call.http_method)
    ? (http_url ?? http_headers ?? http_body)
    : 'The first line must be GET, POST, PUT or PATCH and an address';
  return {
    ...(request !== undefined && { [`${channel}_request` as const]: request }),
    ...(http_rules !== undefined && { [`${channel}_rules` as const]: http_rules }),
    ...(http_id_path !== undefined && { [`${channel}_id_path` as const]: http_id_path }),
  };
}

/** Into JSON bodies only. Elsewhere the macro stays and is refused. */
function withSettings(
  { http_body_kind, http_body }: ReturnType<typeof readRequest>,
  values: Readonly<Record<string, string | undefined>>,
): string {
  return http_body_kind === 'json'
    ? http_body.replace(/\$\$(custom_data|lead_type_id)\$\$/g, (macro, name: string) => values[name] ?? macro)
    : http_body;
}

const jsonOf = (mapping: Readonly<Record<string, string>>) =>
  `{ ${Object.entries(mapping)
    .map(([name, macro]) => `"${name}": ${isNumeric(macro) ? `$$${macro}$$` : `"$$${macro}$$"`}`)
    .join(', ')} }`;

/** Most brokers use numbers. */
const leadTypeOf = (id: string | null) =>
  id === null ? undefined : /^\d{1,9}$/.test(id) ? String(Number(id)) : JSON.stringify(id);
