import {
  ALL_CHANNELS,
  type BuyerChannel,
  type BuyerChannelField,
  type ChannelFlag,
  mapSettings,
} from '#shared/channels/channels';
import type { BuyerRow } from '#shared/contract/schemas/buyers';
import { isSentElsewhere, SECRET_AGAIN_TEXT } from '#shared/rules/destinations';
import { INVALID } from '../texts';

type Settings = Record<ChannelFlag, boolean> & Record<BuyerChannelField['name'], string>;

/** What the buyer form holds of the channels, and what decides which of it is shown. */
export interface ChannelValues extends Settings {
  buyer_type: string;
}

type ChannelErrors = Partial<Record<BuyerChannelField['name'], string>>;

export const EMPTY_CHANNELS: Settings = mapSettings({
  flag: () => false,
  text: ({ defaultValue = '' }) => defaultValue,
  host: () => '',
  secret: () => '',
  template: () => '',
  mapping: () => '',
});

/** The settings of a stored buyer as the form shows them. */
export function channelValuesOf(buyer: BuyerRow): Settings {
  return mapSettings({
    flag: ({ name }) => buyer[name],
    text: ({ name, defaultValue = '' }) => buyer[name] ?? defaultValue,
    host: ({ name }) => buyer[name] ?? '',
    secret: ({ name }) => buyer[name] ?? '',
    template: ({ name }) => buyer[name] ?? '',
    mapping: ({ name }) => jsonText(buyer[name]),
  });
}

function jsonText(mapping: Readonly<Record<string, string>>): string {
  return Object.keys(mapping).length === 0 ? '' : JSON.stringify(mapping, null, 2);
}

/**
 * One text per field that cannot be saved.
 * @param stored what the form was opened with
 */
export function channelErrors(values: ChannelValues, stored: Settings): ChannelErrors {
  const errors: ChannelErrors = {};
  for (const channel of ALL_CHANNELS)
    for (const field of shownFields(channel, values)) {
      const error =
        channelFieldError(field, values[field.name].trim(), values[channel.flag]) ??
        secretError(field, values, stored);
      if (error !== undefined) errors[field.name] = error;
    }
  return errors;
}

function channelFieldError(field: BuyerChannelField, value: string, on: boolean): string | undefined {
  if (value === '')
    return on && field.required !== undefined
      ? (field.requiredText ?? INVALID.required(field.label))
      : undefined;
  if (field.kind === 'host' && /[/\s@]/.test(value)) return INVALID.domain;
  if (field.kind === 'mapping' && !isJsonObject(value)) return INVALID.json;
  return undefined;
}

/** The error of a secret that is still the stored one, although it would be sent somewhere else now. */
export function secretError(
  field: BuyerChannelField,
  values: Settings,
  stored: Settings,
): string | undefined {
  return field.kind === 'secret' &&
    stored[field.name] !== '' &&
    values[field.name] === stored[field.name] &&
    isSentElsewhere(field.sentTo, stored, values)
    ? SECRET_AGAIN_TEXT
    : undefined;
}

/** The fields of a channel that the form shows at the moment. */
export function shownFields(channel: BuyerChannel, values: ChannelValues): BuyerChannelField[] {
  return channel.fields.filter(
    (field) => (values[channel.flag] || field.shownWhenOff === true) && !isUnused(field, values),
  );
}

/** Replacement leads exist for prepay buyers only. */
function isUnused(field: BuyerChannelField, { buyer_type }: ChannelValues): boolean {
  return buyer_type !== 'prepay' && field.kind === 'template' && field.prepayOnly === true;
}

function isJsonObject(value: string): boolean {
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  } catch {
    return false;
  }
}

/**
 * What a channel that is off hides stays as it is stored, but for the template: one that was chosen before e-mail was
 * switched off again is kept for later.
 */
export function channelFieldsOf(values: ChannelValues): Partial<Settings> {
  const fields: Partial<Settings> = {};
  for (const channel of ALL_CHANNELS) {
    fields[channel.flag] = values[channel.flag];
    for (const { name } of shownFields(channel, values)) fields[name] = values[name];
    for (const field of channel.fields)
      if (field.kind === 'template') fields[field.name] = isUnused(field, values) ? '' : values[field.name];
  }
  return fields;
}
