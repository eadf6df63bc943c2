import type { Buyer } from '#functions/data/buyers/buyer';
import type { Encrypted } from '#functions/data/table/encrypted';
import { newBuyer } from '#functions/domain/buyers/new-buyer';
import { invalid, secretsRequired } from '#functions/domain/common/errors';
import type { Cipher } from '#functions/keys/cipher';
import type { Runtime } from '#functions/platform/runtime';
import {
  ALL_CHANNELS,
  type BuyerChannel,
  type BuyerChannelField,
  CHANNEL_DESCRIPTORS,
  type Channel,
  isAsked,
  isSecretSentElsewhere,
  SECRET_SETTINGS,
  SETTINGS,
} from '#shared/channels/channels';
import { CHANNEL_EXTRAS } from '#shared/channels/extras';
// oxlint-disable-next-line no-restricted-imports -- A buyer's form is passed on as parsed, because its fields depend on the channels.
import type { Parsed } from '#shared/contract/schemas';
import { SECRET_MASK } from '#shared/rules/constants';
import { fieldLabel } from '#shared/rules/field-labels';

type Sent = Parsed<'updateBuyer', 'body'> | NonNullable<Parsed<'updateBuyer', 'body'>['expected']>;

/** The stored form of the given settings. An empty text clears a field, but never a secret. */
export function channelFieldsOf(cipher: Pick<Cipher, 'encrypt'>, input: Sent): Partial<Buyer> {
  const fields: Partial<Buyer> = {};
  const set = <K extends keyof Buyer>(name: K, value: Buyer[K] | undefined) => {
    if (value !== undefined) fields[name] = value;
  };
  const secret = (value: string | undefined): Encrypted | undefined =>
    value === undefined || value === SECRET_MASK ? undefined : cipher.encrypt(value);
  const clearable = (name: keyof Sent, value: string | null | undefined) =>
    name in input ? value || null : undefined;
  for (const setting of SETTINGS)
    switch (setting.kind) {
      case 'text':
        set(
          setting.name,
          setting.defaultValue === undefined
            ? clearable(setting.name, input[setting.name])
            : input[setting.name],
        );
        break;
      case 'host':
      case 'address':
      case 'area':
      case 'template':
        set(setting.name, clearable(setting.name, input[setting.name]));
        break;
      case 'secret':
        set(setting.name, secret(input[setting.name]));
        break;
      case 'flag':
      case 'choice':
      case 'mapping':
      case 'pairs':
      case 'rules':
        set(setting.name, input[setting.name]);
        break;
    }
  return fields;
}

const misses = (buyer: Buyer, channel: BuyerChannel, field: BuyerChannelField) =>
  buyer[channel.flag] && isAsked(field, buyer) && buyer[field.name] === null;

/** @param before the stored buyer; if it already violated a rule that is newer, it stays editable */
export function channelProblems(buyer: Buyer, before?: Buyer): Record<string, string> {
  return Object.assign({}, ...ALL_CHANNELS.map((channel) => problemsOf(buyer, channel, before)));
}

function problemsOf(buyer: Buyer, channel: BuyerChannel, before: Buyer | undefined): Record<string, string> {
  const found = ruleProblems(buyer, channel);
  const known = before === undefined ? {} : ruleProblems(before, channel);
  const problems: Record<string, string> = {};
  for (const field of channel.fields) {
    const { name, required } = field;
    const problem = found[name];
    if (required && misses(buyer, channel, field)) {
      if (!(before && misses(before, channel, field))) problems[name] = `Required for ${channel.requiredFor}`;
    } else if (problem !== undefined && problem !== known[name]) problems[name] = problem;
  }
  return problems;
}

function ruleProblems(buyer: Buyer, { id, flag }: BuyerChannel): Partial<Record<string, string>> {
  return buyer[flag] ? (CHANNEL_EXTRAS[id]?.problems(buyer) ?? {}) : {};
}

export function refuseFields(fields: Readonly<Record<string, string>>): void {
  const [first] = Object.entries(fields);
  if (first === undefined) return;
  const [name, text] = first;
  throw invalid('invalid_input', text.startsWith('Required') ? `${fieldLabel(name)}: ${text}` : text, fields);
}

const sentElsewhere = (before: Buyer, after: Buyer) =>
  SECRET_SETTINGS.filter(
    (secret) =>
      before[secret.name] !== null &&
      after[secret.name] === before[secret.name] &&
      isSecretSentElsewhere(secret, before, after),
  );

/** Removes unused secrets whose destination changes. The form does not ask for them again, so a wrong host could receive them later. */
export function unboundSecrets(before: Buyer, after: Buyer): Partial<Buyer> {
  const unused = sentElsewhere(before, after).filter((secret) => !isAsked(secret, after));
  return Object.fromEntries(unused.map(({ name }) => [name, null]));
}

export function requireSecretsAgain(before: Buyer, after: Buyer): void {
  const names = sentElsewhere(before, after).map(({ name }) => name);
  if (names.length > 0) throw secretsRequired(names);
}

/** @param stored its secrets are used unless the destination changed; undefined for a new buyer @throws DomainError 400 */
export function buyerAsTyped(
  context: { readonly cipher: Pick<Cipher, 'encrypt'>; readonly runtime: Pick<Runtime, 'now'> },
  stored: Buyer | undefined,
  channel: Channel,
  input: Sent,
): Buyer {
  const before = stored ?? newBuyer(0, 'new', context.runtime.now().toISOString());
  const typed: Buyer = { ...before, ...channelFieldsOf(context.cipher, input) };
  const descriptor = CHANNEL_DESCRIPTORS[channel];
  const after: Buyer = { ...typed, ...unboundSecrets(before, typed), [descriptor.flag]: true };
  requireSecretsAgain(before, after);
  refuseFields(problemsOf(after, descriptor, undefined));
  return after;
}
