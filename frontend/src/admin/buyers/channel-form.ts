import {
  ALL_CHANNELS,
  type BuyerChannel,
  type BuyerChannelField,
  isAsked,
  isSecretSentElsewhere,
  mapSettings,
  type Preset,
  type SettingValues,
} from '#shared/channels/channels';
import { CHANNEL_EXTRAS } from '#shared/channels/extras';
import type { BuyerRow } from '#shared/contract/schemas/buyers';
import type { AnswerRule } from '#shared/rules/answer-rules';
import { SECRET_MASK } from '#shared/rules/constants';
import { SECRET_AGAIN_TEXT } from '#shared/rules/destinations';
import type { Pair } from '#shared/rules/http-request';
import { INVALID } from '../invalid-texts';

type Settings = { [Name in keyof typeof EMPTY_CHANNELS]: (typeof EMPTY_CHANNELS)[Name] };

/** The channels' values in the buyer form, and which of them are shown. */
export interface ChannelValues extends Settings {
  buyer_type: string;
}

/** The fields that are one text in the form. */
type TextName = {
  [Name in BuyerChannelField['name']]: Settings[Name] extends string ? Name : never;
}[BuyerChannelField['name']];
type ChannelErrors = Partial<Record<BuyerChannelField['name'], string>>;

export const EMPTY_CHANNELS = mapSettings({
  flag: (): boolean => false,
  text: ({ defaultValue = '' }): string => defaultValue,
  choice: ({ defaultValue }): string => defaultValue,
  host: (): string => '',
  address: (): string => '',
  area: ({ preset = '' }): string => preset,
  secret: (): string => '',
  template: (): string => '',
  mapping: (): string => '',
  pairs: (): Pair[] => [],
  rules: ({ preset = [] }): AnswerRule[] => [...preset],
});

/** A channel's stored settings as form values. */
export function channelValuesOf(buyer: BuyerRow): Settings {
  return mapSettings({
    flag: ({ name }) => buyer[name],
    text: ({ name, defaultValue = '' }) => buyer[name] ?? defaultValue,
    choice: ({ name, defaultValue }) => buyer[name] ?? defaultValue,
    host: ({ name }) => buyer[name] ?? '',
    address: ({ name }) => buyer[name] ?? '',
    area: ({ name, preset = '' }) => buyer[name] ?? preset,
    secret: ({ name }) => buyer[name] ?? '',
    template: ({ name }) => buyer[name] ?? '',
    mapping: ({ name }) => jsonText(buyer[name]),
    pairs: ({ name }) => buyer[name],
    rules: ({ name, preset = [] }) => (buyer[name].length > 0 ? buyer[name] : [...preset]),
  });
}

/** The settings in stored form; a mapping that cannot be read is empty. */
export function settingValuesOf(values: Settings): SettingValues {
  const textOf = ({ name }: { readonly name: TextName }) => values[name].trim() || null;
  return mapSettings({
    flag: ({ name }) => values[name],
    text: textOf,
    choice: ({ name }) => values[name],
    host: textOf,
    address: textOf,
    area: textOf,
    secret: textOf,
    template: textOf,
    mapping: ({ name }) => mappingOf(values[name]),
    pairs: ({ name }) => values[name],
    rules: ({ name }) => values[name],
  });
}

/** Errors of rules across fields, one sentence per field. */
export function channelProblems({ id, flag }: BuyerChannel, values: Settings): ChannelErrors {
  return values[flag] ? (CHANNEL_EXTRAS[id]?.problems(settingValuesOf(values)) ?? {}) : {};
}

/** The form's values of a preset. */
export function presetValues({ values }: Preset): Partial<Settings> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? '']));
}

function jsonText(mapping: Readonly<Record<string, string>>): string {
  return Object.keys(mapping).length === 0 ? '' : JSON.stringify(mapping, null, 2);
}

/**
 * One text per field that cannot be saved.
 * @param stored the values when the form was opened
 */
export function channelErrors(values: ChannelValues, stored: Settings): ChannelErrors {
  const errors: ChannelErrors = {};
  for (const channel of ALL_CHANNELS) {
    const problems = channelProblems(channel, values);
    for (const field of shownFields(channel, values)) {
      const error =
        channelFieldError(field, values, values[channel.flag]) ??
        secretError(field, values, stored) ??
        problems[field.name];
      if (error !== undefined) errors[field.name] = error;
    }
  }
  return errors;
}

function channelFieldError(field: BuyerChannelField, values: Settings, on: boolean): string | undefined {
  if (field.kind === 'pairs' || field.kind === 'rules') return undefined;
  const value = values[field.name].trim();
  if (value === '')
    return on && field.required !== undefined
      ? (field.requiredText ?? INVALID.required(field.label))
      : undefined;
  if (field.kind === 'host' && /[/\s@]/.test(value)) return INVALID.domain;
  if (field.kind === 'mapping' && jsonObject(value) === undefined) return INVALID.json;
  if (field.kind === 'secret' && value !== SECRET_MASK && field.pattern?.test(value) === false)
    return field.patternText;
  return undefined;
}

/** The error of a stored secret that would now be sent to another server. */
export function secretError(
  field: BuyerChannelField,
  values: Settings,
  stored: Settings,
): string | undefined {
  return field.kind === 'secret' &&
    stored[field.name] !== '' &&
    values[field.name] === stored[field.name] &&
    isSecretSentElsewhere(field, stored, values)
    ? SECRET_AGAIN_TEXT
    : undefined;
}

/** The fields of a channel that the form shows now. */
export function shownFields(channel: BuyerChannel, values: ChannelValues): BuyerChannelField[] {
  return channel.fields.filter(
    (field) =>
      (values[channel.flag] || (field.alsoFor !== undefined && values[field.alsoFor])) &&
      isAsked(field, values) &&
      !isUnused(field, values),
  );
}

/** Replacement leads exist for prepay buyers only. */
function isUnused(field: BuyerChannelField, { buyer_type }: ChannelValues): boolean {
  return buyer_type !== 'prepay' && field.kind === 'template' && field.prepayOnly === true;
}

function jsonObject(value: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

const mappingOf = (value: string): Record<string, string> =>
  Object.fromEntries(Object.entries(jsonObject(value) ?? {}).map(([name, macro]) => [name, String(macro)]));

/**
 * The hidden fields of a disabled channel keep their stored values. Only the template is saved: it may have been chosen
 * before e-mail was switched off again.
 */
export function channelFieldsOf(values: ChannelValues): Partial<Settings> {
  const fields: Partial<Settings> = {};
  for (const channel of ALL_CHANNELS) {
    Object.assign(fields, settingsOf(channel, values));
    for (const field of channel.fields)
      if (field.kind === 'template') fields[field.name] = isUnused(field, values) ? '' : values[field.name];
  }
  return fields;
}

/** A channel's switch and its visible settings. */
export function settingsOf(channel: BuyerChannel, values: ChannelValues): Partial<Settings> {
  const fields = shownFields(channel, values).map((field) => [field.name, sentValue(field, values)]);
  return Object.fromEntries([[channel.flag, values[channel.flag]], ...fields]);
}

/** Empty if equal to the preset, so that a later version's preset applies. */
function sentValue(field: BuyerChannelField, values: ChannelValues): unknown {
  const value = values[field.name];
  const isPreset =
    (field.kind === 'area' || field.kind === 'rules') &&
    JSON.stringify(value) === JSON.stringify(field.preset);
  return !isPreset ? value : field.kind === 'area' ? '' : [];
}
