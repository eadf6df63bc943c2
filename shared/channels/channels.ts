/** A new channel needs a line here and one in `functions/channels/channels.ts`. */
import type { ChannelDescriptor, ChannelField } from '#shared/channels/descriptor';
import { email } from '#shared/channels/email';
import { heroleads } from '#shared/channels/heroleads';
import { http } from '#shared/channels/http';
import { readRequest } from '#shared/channels/preset-fields';
import { sellanylead } from '#shared/channels/sellanylead';
import { trackbox } from '#shared/channels/trackbox';
import type { AnswerRule } from '#shared/rules/answer-rules';
import { isSentElsewhere, serverOf } from '#shared/rules/destinations';
import type { Pair } from '#shared/rules/http-request';
import { record } from '#shared/rules/lead-fields';

export const CHANNEL_DESCRIPTORS = { email, heroleads, trackbox, sellanylead, http } as const;

type Descriptor = (typeof CHANNEL_DESCRIPTORS)[keyof typeof CHANNEL_DESCRIPTORS];
export type Channel = Descriptor['id'];
export type ChannelFlag = Descriptor['flag'];
type KnownField = Descriptor['fields'][number];

type NameOfKind<Kind extends ChannelField['kind']> = Extract<KnownField, { readonly kind: Kind }>['name'];
/** Narrows the names in a field to existing fields. */
type FieldOfKind<Kind extends ChannelField['kind']> = Extract<ChannelField, { readonly kind: Kind }> & {
  readonly name: NameOfKind<Kind>;
  readonly shownWhen?: { readonly name: NameOfKind<'choice'> };
  readonly alsoFor?: ChannelFlag;
} & (Kind extends 'secret' ? { readonly sentTo: readonly Destination[] } : unknown);
export type BuyerChannelField = {
  readonly [Kind in ChannelField['kind']]: FieldOfKind<Kind>;
}[ChannelField['kind']];

export interface BuyerChannel extends ChannelDescriptor {
  readonly id: Channel;
  readonly flag: ChannelFlag;
  readonly fields: readonly BuyerChannelField[];
}

export const ALL_CHANNELS: readonly BuyerChannel[] = Object.values(CHANNEL_DESCRIPTORS);
export const CHANNELS: readonly Channel[] = ALL_CHANNELS.map(({ id }) => id);

export const CONSOLE_CHANNELS: readonly Channel[] = ALL_CHANNELS.flatMap(({ id, console }) =>
  console ? [id] : [],
);

interface Flag {
  readonly kind: 'flag';
  readonly name: ChannelFlag;
}
export type Setting = Flag | BuyerChannelField;
type SettingKind = Setting['kind'];
type SettingOf<Kind extends SettingKind> = {
  [One in SettingKind]: Extract<Setting, { readonly kind: One }> & { readonly kind: One };
}[Kind];

export const SETTINGS: readonly Setting[] = ALL_CHANNELS.flatMap(({ flag, fields }): Setting[] => [
  { kind: 'flag', name: flag },
  ...fields,
]);

export const SECRET_SETTINGS = SETTINGS.flatMap((setting) => (setting.kind === 'secret' ? [setting] : []));
export const TEMPLATE_NAMES = SETTINGS.flatMap((setting) =>
  setting.kind === 'template' ? [setting.name] : [],
);

type Makers = { readonly [Kind in SettingKind]: (setting: SettingOf<Kind>) => unknown };
type KindOf<Name> = Extract<Flag | KnownField, { readonly name: Name }>['kind'];
type Made<All extends Makers> = {
  [Name in Setting['name']]: ReturnType<All[Name extends ChannelFlag ? 'flag' : KindOf<Name>]>;
};

/** One entry per setting. The overload states which name has which kind, which the type of `Object.fromEntries` cannot. */
export function mapSettings<All extends Makers>(makers: All): Made<All>;
export function mapSettings(makers: Makers): object {
  return Object.fromEntries(SETTINGS.map((setting) => [setting.name, make(makers, setting)]));
}

export type SettingValues = Made<{
  flag: () => boolean;
  text: () => string | null;
  choice: () => string | null;
  host: () => string | null;
  address: () => string | null;
  area: () => string | null;
  secret: () => string | null;
  template: () => string | null;
  mapping: () => Readonly<Record<string, string>>;
  pairs: () => readonly Pair[];
  rules: () => readonly AnswerRule[];
}>;

/** Fields without a value stay as they are. */
export interface Preset {
  readonly id: string;
  readonly label: string;
  readonly values: Partial<SettingValues>;
}

function make<Kind extends SettingKind>(makers: Makers, setting: SettingOf<Kind>): unknown {
  return makers[setting.kind](setting);
}

/** Whether a field applies with the current choices. */
export function isAsked(
  field: BuyerChannelField,
  values: Readonly<Record<NameOfKind<'choice'>, unknown>>,
): boolean {
  const { shownWhen } = field;
  return shownWhen === undefined || shownWhen.oneOf.some((value) => value === values[shownWhen.name]);
}

type Destination = NameOfKind<'host' | 'text' | 'address' | 'area'>;

/** The server of an address or request; any other text unchanged. */
function destinationOf(name: Destination, text: string | null): string {
  const setting = SETTINGS.find((other) => other.name === name);
  if (setting?.kind === 'area') return serverOf(readRequest(text || (setting.preset ?? '')).http_url);
  return setting?.kind === 'address' ? serverOf(text ?? '') : (text ?? '');
}

export function isSecretSentElsewhere(
  { sentTo }: SettingOf<'secret'>,
  before: Readonly<Record<Destination, string | null>>,
  after: Readonly<Record<Destination, string | null>>,
): boolean {
  const destinations: readonly Destination[] = sentTo;
  const servers = (values: Readonly<Record<Destination, string | null>>) =>
    record(destinations, (name) => destinationOf(name, values[name]));
  return isSentElsewhere(destinations, servers(before), servers(after));
}
