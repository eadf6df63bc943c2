/**
 * Checks over several fields, previews and presets of channels. Apart from the descriptors, so that lists load without them.
 */
import type { BuyerChannelField, Channel, Preset, SettingValues } from '#shared/channels/channels';
import { HTTP_PRESETS } from '#shared/channels/http-presets';
import { presetCall, presetProblems } from '#shared/channels/preset-call';
import type { PresetChannel } from '#shared/channels/preset-fields';
import { SECRET_MASK } from '#shared/rules/constants';
import { buildRequest, type HttpSettings, httpProblems } from '#shared/rules/http-request';
import { EXAMPLE_LEAD, requestValues } from '#shared/rules/lead-values';

type Name = BuyerChannelField['name'];

interface ChannelExtras {
  /** One sentence per field. Form and API refuse them while the channel is on. */
  readonly problems: (values: SettingValues) => Partial<Record<Name, string>>;
  /** Undefined while there are problems. */
  readonly preview: (values: SettingValues) => string | undefined;
  readonly presets: readonly Preset[];
}

const ofPreset = (channel: PresetChannel): ChannelExtras => ({
  problems: (values) => presetProblems(channel, values),
  preview: (values) => httpPreview(presetCall(channel, values)),
  presets: [],
});

export const CHANNEL_EXTRAS: Readonly<Partial<Record<Channel, ChannelExtras>>> = {
  http: { problems: httpProblems, preview: httpPreview, presets: HTTP_PRESETS },
  heroleads: ofPreset('heroleads'),
  sellanylead: ofPreset('sellanylead'),
};

const MASKS = { secret: SECRET_MASK, secret2: SECRET_MASK };

function httpPreview(values: HttpSettings): string | undefined {
  const problems = httpProblems(values);
  if (problems.http_url ?? problems.http_headers ?? problems.http_key_name ?? problems.http_body)
    return undefined;
  const { method, url, headers, body } = buildRequest(values, requestValues(EXAMPLE_LEAD, MASKS));
  return [
    `${method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['', body]),
  ].join('\n');
}
