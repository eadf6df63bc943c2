/** What is derived from the descriptors of the channels agrees: stored buyer, row, request, audit, form and adapters. */
import { describe, expect, it } from 'vitest';
import {
  channelErrors,
  channelFieldsOf,
  channelValuesOf,
  EMPTY_CHANNELS,
  shownFields,
} from '#frontend/admin/buyers/channel-form';
import { buyerRow } from '#functions/api/common/buyer-row';
import { createChannels } from '#functions/channels/channels';
import { type Buyer, buyerSchema, channelsOf } from '#functions/data/buyers/buyer';
import { type BuyerDeps, createBuyer, newBuyer } from '#functions/domain/buyers/buyers';
import { changesBetween } from '#functions/domain/common/audit';
import { DomainError } from '#functions/domain/common/errors';
import { partnerEnvironment } from '#functions/environment';
import { systemRuntime } from '#functions/runtime';
import {
  ALL_CHANNELS,
  type BuyerChannel,
  type BuyerChannelField,
  CHANNEL_DESCRIPTORS,
  CHANNELS,
  SETTINGS,
} from '#shared/channels/channels';
import { SECRET_MASK } from '#shared/contract/constants';
import { buyerSchemas } from '#shared/contract/schemas/buyers';
import { SECRET_AGAIN_TEXT } from '#shared/rules/destinations';

const EMPTY = { ...EMPTY_CHANNELS, buyer_type: 'prepay' };
const SECRET = 'planted-secret-4711';
const blank = newBuyer(1, 'alpha', '2026-01-05T09:00:00.000Z');
const rowOf = (buyer: Buyer) =>
  buyerRow('https://leads.example.org', { buyer, poolEntry: undefined, order: undefined });

/** A value that every rule accepts, as the API takes it. */
function sampleOf(field: BuyerChannelField): unknown {
  switch (field.kind) {
    case 'text':
      return '7';
    case 'host':
      return 'box.example.org';
    case 'secret':
      return SECRET;
    case 'mapping':
      return JSON.parse(field.example);
    case 'template':
      return '01ARZ3NDEKTSV4RRFFQ69G5FAV';
  }
}

const samplesOf = ({ flag, fields }: BuyerChannel): Record<string, unknown> => ({
  [flag]: true,
  ...Object.fromEntries(fields.map((field) => [field.name, sampleOf(field)])),
});

/** A buyer as stored with all settings of a channel. */
const stored = (channel: BuyerChannel) => buyerSchema.parse({ ...blank, ...samplesOf(channel) });

/** Refuses or accepts before anything is read or written. */
const depsUntilStored = {
  buyers: { nextInternalId: async () => 1 },
  cipher: async () => ({ encrypt: (text: string) => `encrypted ${text}` }),
  templates: { get: async () => ({}) },
  runtime: { now: () => new Date() },
  pool: {
    readForWeights: async () => {
      throw new Error('The form was accepted');
    },
  },
} as unknown as BuyerDeps;

const create = (settings: Record<string, unknown>) =>
  createBuyer(
    depsUntilStored,
    'admin',
    buyerSchemas.createBuyer.body.parse({
      buyer_id: 'alpha',
      buyer_email: 'a@example.org',
      probability: 1,
      ...settings,
    }),
  );

it('every setting has one name and every channel one id', () => {
  expect(Object.values(CHANNEL_DESCRIPTORS).map(({ id }) => id)).toEqual(Object.keys(CHANNEL_DESCRIPTORS));
  const names = SETTINGS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

it('there is an adapter for every channel', () => {
  const unused = {
    encrypt: () => {
      throw new Error('unused');
    },
    decrypt: (text: string) => text,
  };
  const channels = createChannels(partnerEnvironment.parse({}), unused, systemRuntime);
  expect(Object.keys(channels).sort()).toEqual(CHANNELS.toSorted());
});

it('a new buyer is valid, has every setting and no channel', () => {
  expect(buyerSchema.parse(blank)).toEqual(blank);
  expect(Object.keys(blank)).toEqual(expect.arrayContaining(SETTINGS.map(({ name }) => name)));
  expect(channelsOf(blank)).toEqual([]);
});

describe.each(ALL_CHANNELS.map((channel) => [channel.id, channel] as const))('%s', (id, channel) => {
  it('is the channel that its flag switches on', () => {
    expect(channelsOf({ ...blank, [channel.flag]: true })).toEqual([id]);
  });

  it('takes its settings by the API and shows them in the row, secrets masked', async () => {
    await expect(create(samplesOf(channel))).rejects.toThrow('The form was accepted');
    const row = rowOf(stored(channel));
    expect(buyerSchemas.getBuyer.answer.parse({ buyer: row }).buyer).toEqual(row);
    for (const field of channel.fields)
      expect(row[field.name]).toEqual(field.kind === 'secret' ? SECRET_MASK : sampleOf(field));
    expect(JSON.stringify(row)).not.toContain(SECRET);
  });

  it('is audited by its fields, without secrets', () => {
    const changes = changesBetween(blank, stored(channel));
    expect(changes.map(({ field }) => field)).toEqual(
      [channel.flag, ...channel.fields.map(({ name }) => name)].sort(),
    );
    expect(JSON.stringify(changes)).not.toContain(SECRET);
  });

  it('is refused by API and form where a required field is missing', async () => {
    const values = { ...EMPTY, [channel.flag]: true };
    const required = channel.fields.flatMap((field) => (field.required ? [field.name] : []));
    expect(Object.keys(channelErrors(values, EMPTY))).toEqual(required);
    const refusal: unknown = await create({ [channel.flag]: true }).catch((error: unknown) => error);
    if (required.length === 0) expect(refusal).toMatchObject({ message: 'The form was accepted' });
    else {
      expect(refusal).toBeInstanceOf(DomainError);
      expect(Object.keys((refusal as DomainError).fields ?? {})).toEqual(required);
    }
    for (const name of required) {
      const { [name]: _, ...others } = samplesOf(channel);
      await expect(create(others)).rejects.toMatchObject({
        fields: { [name]: `Required for ${channel.requiredFor}` },
      });
    }
  });

  it('is edited in the form, which sends back what it was given', () => {
    const row = rowOf(stored(channel));
    const values = { ...channelValuesOf(row), buyer_type: row.buyer_type };
    expect(shownFields(channel, values)).toEqual(channel.fields);
    expect(channelErrors(values, values)).toEqual({});
    const sent = buyerSchemas.updateBuyer.body.parse(channelFieldsOf(values));
    for (const field of channel.fields) expect(sent[field.name]).toEqual(row[field.name]);
    expect(sent[channel.flag]).toBe(true);
  });

  it('hides its fields and leaves them as stored while it is off', () => {
    const values = { ...EMPTY, ...channelValuesOf(rowOf(stored(channel))), [channel.flag]: false };
    const shown = channel.fields.filter(({ shownWhenOff }) => shownWhenOff === true);
    expect(shownFields(channel, values)).toEqual(shown);
    const sent = channelFieldsOf(values);
    for (const field of channel.fields)
      expect(field.name in sent).toBe(field.shownWhenOff === true || field.kind === 'template');
  });
});

const secrets = ALL_CHANNELS.flatMap((channel) =>
  channel.fields.flatMap((secret) => (secret.kind === 'secret' ? [{ channel, secret }] : [])),
);

it.each(secrets)('$secret.name goes to every host that its channel names', ({ channel, secret }) => {
  const hosts = channel.fields.flatMap(({ name, kind }) => (kind === 'host' ? [name] : []));
  expect(secret.sentTo).toEqual(expect.arrayContaining(hosts));
});

it.each(
  secrets.flatMap(({ channel, secret }) => secret.sentTo.map((changed) => ({ channel, secret, changed }))),
)('the form asks for $secret.name again when $changed changes', ({ channel, secret, changed }) => {
  const before = { ...EMPTY, ...channelValuesOf(rowOf(stored(channel))) };
  const after = { ...before, [changed]: 'elsewhere.example.net' };
  expect(channelErrors(after, before)).toMatchObject({ [secret.name]: SECRET_AGAIN_TEXT });
  expect(channelErrors({ ...after, [secret.name]: 'new' }, before)).not.toHaveProperty(secret.name);
});

it('the template for replacements is for prepay buyers only', () => {
  const values = {
    ...EMPTY,
    send_email: true,
    buyer_type: 'postpay',
    reimbursement_email_template_id: 'stored',
  };
  expect(shownFields(CHANNEL_DESCRIPTORS.email, values).map(({ name }) => name)).toEqual([
    'email_template_id',
  ]);
  expect(channelFieldsOf(values)).toMatchObject({ reimbursement_email_template_id: '' });
});
