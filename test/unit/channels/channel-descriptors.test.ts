/** Everything derived from a channel's descriptor is consistent: stored buyer, row, request, audit, form, adapter. */

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
import { keys } from '#functions/data/table/keys';
import { type BuyerContext, createBuyer } from '#functions/domain/buyers/buyers';
import { newBuyer } from '#functions/domain/buyers/new-buyer';
import { changesBetween } from '#functions/domain/common/audit';
import { DomainError } from '#functions/domain/common/errors';
import { partnerEnvironment } from '#functions/platform/environment';
import { systemRuntime } from '#functions/platform/runtime';
import {
  ALL_CHANNELS,
  type BuyerChannel,
  type BuyerChannelField,
  CHANNEL_DESCRIPTORS,
  CHANNELS,
  CONSOLE_CHANNELS,
  isAsked,
  SETTINGS,
} from '#shared/channels/channels';
import { buyerSchemas } from '#shared/contract/schemas/buyers';
import { SECRET_MASK } from '#shared/rules/constants';
import { SECRET_AGAIN_TEXT } from '#shared/rules/destinations';
import { aSetting, SECRET, settingsWith } from '#test/factories/channel-settings';
import { aTemplate } from '#test/factories/templates';
import { changedTable } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const EMPTY = { ...EMPTY_CHANNELS, buyer_type: 'prepay' };
const blank = newBuyer(1, 'alpha', '2026-01-05T09:00:00.000Z');
const rowOf = (buyer: Buyer) =>
  buyerRow(
    'https://leads.example.org',
    { buyer, poolEntry: undefined, order: undefined, emailState: undefined, deliveryProblem: undefined },
    new Date(),
  );

/** A stored buyer with all settings of a channel. */
const stored = (channel: BuyerChannel) => buyerSchema.parse({ ...blank, ...settingsWith(channel) });

/** Validates the form without reading or writing. */
const depsUntilStored = {
  table: changedTable(memoryTable(), {
    update: async () => ({ ok: true, item: { value: 1 } }),
    get: async ({ pk, sk }) => {
      if (pk === keys.weights().pk && sk === keys.weights().sk) throw new Error('The form was accepted');
      return aTemplate();
    },
  }),
  cipher: async () => ({ encrypt: (text: string) => `encrypted ${text}` }),
  runtime: systemRuntime,
} as unknown as BuyerContext;

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

it('names of settings and IDs of channels are unique', () => {
  expect(Object.values(CHANNEL_DESCRIPTORS).map(({ id }) => id)).toEqual(Object.keys(CHANNEL_DESCRIPTORS));
  const names = SETTINGS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

it('every channel has an adapter, with a test function if it has a console', () => {
  const unused = {
    encrypt: () => {
      throw new Error('unused');
    },
    decrypt: (text: string) => text,
  };
  const channels = createChannels(
    { ...partnerEnvironment.parse({}), PUBLIC_BASE_URL: 'https://leads.example' },
    unused,
    systemRuntime,
  );
  expect(Object.keys(channels).sort()).toEqual(CHANNELS.toSorted());
  expect(CHANNELS.filter((channel) => channels[channel].tryOut !== undefined)).toEqual(CONSOLE_CHANNELS);
});

it('a new buyer is valid, has every setting and no channel', () => {
  expect(buyerSchema.parse(blank)).toEqual(blank);
  expect(Object.keys(blank)).toEqual(expect.arrayContaining(SETTINGS.map(({ name }) => name)));
  expect(channelsOf(blank)).toEqual([]);
});

describe.each(ALL_CHANNELS.map((channel) => [channel.id, channel] as const))('%s', (id, channel) => {
  it('is enabled by its flag', () => {
    expect(channelsOf({ ...blank, [channel.flag]: true })).toEqual([id]);
  });

  it('accepts its settings in the API and returns them in the row, secrets masked', async () => {
    await expect(create(settingsWith(channel))).rejects.toThrow('The form was accepted');
    const row = rowOf(stored(channel));
    expect(buyerSchemas.getBuyer.answer.parse({ buyer: row }).buyer).toEqual(row);
    for (const field of channel.fields)
      expect(row[field.name]).toEqual(
        field.kind === 'secret' ? SECRET_MASK : settingsWith(channel)[field.name],
      );
    expect(JSON.stringify(row)).not.toContain(SECRET);
  });

  it('is audited with its fields, without secrets', () => {
    const changes = changesBetween(blank, stored(channel));
    const settings = settingsWith(channel);
    const changed = Object.keys(settings).filter(
      (name) => settings[name] !== Object.entries(blank).find(([of]) => of === name)?.[1],
    );
    expect(changes.map(({ field }) => field)).toEqual(changed.sort());
    expect(JSON.stringify(changes)).not.toContain(SECRET);
  });

  it('is rejected by API and form without a required field', async () => {
    const values = { ...EMPTY, [channel.flag]: true };
    const isMissed = (of: typeof EMPTY) => (field: BuyerChannelField) =>
      field.required === true && isAsked(field, of);
    const required = channel.fields.filter(isMissed(values)).map(({ name }) => name);
    expect(Object.keys(channelErrors(values, EMPTY))).toEqual(required);
    const refusal: unknown = await create({ [channel.flag]: true }).catch((error: unknown) => error);
    if (required.length === 0) expect(refusal).toMatchObject({ message: 'The form was accepted' });
    else {
      expect(refusal).toBeInstanceOf(DomainError);
      expect(Object.keys((refusal as DomainError).fields ?? {})).toEqual(required);
    }
    for (const field of channel.fields.filter(({ required }) => required === true)) {
      const { name } = field;
      const { [name]: _, ...others } = settingsWith(channel, field);
      await expect(create(others)).rejects.toMatchObject({
        fields: { [name]: `Required for ${channel.requiredFor}` },
      });
    }
  });

  it('is sent back unchanged by the form', () => {
    const row = rowOf(stored(channel));
    const values = { ...channelValuesOf(row), buyer_type: row.buyer_type };
    const asked = channel.fields.filter((field) => isAsked(field, values));
    expect(shownFields(channel, values)).toEqual(asked);
    expect(channelErrors(values, values)).toEqual({});
    const sent = buyerSchemas.updateBuyer.body.parse(channelFieldsOf(values));
    for (const field of asked) expect(sent[field.name]).toEqual(row[field.name]);
    expect(sent[channel.flag]).toBe(true);
  });

  it('hides its fields and keeps their stored values while it is off', () => {
    const values = { ...EMPTY, ...channelValuesOf(rowOf(stored(channel))), [channel.flag]: false };
    expect(shownFields(channel, values)).toEqual([]);
    const sent = channelFieldsOf(values);
    for (const field of channel.fields) expect(field.name in sent).toBe(field.kind === 'template');
  });
});

it('shows the mapping of HeroLeads while SellAnyLead is on', () => {
  const values = { ...EMPTY, use_heroleads_api: false, use_sellanylead_api: true };
  const { heroleads } = CHANNEL_DESCRIPTORS;
  expect(shownFields(heroleads, values).map(({ name }) => name)).toEqual(['custom_data_mapping']);
  expect(channelFieldsOf(values)).toHaveProperty('custom_data_mapping');
});

const secrets = ALL_CHANNELS.flatMap((channel) =>
  channel.fields.flatMap((secret) => (secret.kind === 'secret' ? [{ channel, secret }] : [])),
);

it.each(secrets)('$secret.name depends on every host of its channel', ({ channel, secret }) => {
  const hosts = channel.fields.flatMap(({ name, kind }) => (kind === 'host' ? [name] : []));
  expect(secret.sentTo).toEqual(expect.arrayContaining(hosts));
});

it.each(
  secrets.flatMap(({ channel, secret }) => secret.sentTo.map((changed) => ({ channel, secret, changed }))),
)('the form requires $secret.name again when $changed changes', ({ channel, secret, changed }) => {
  const buyer = buyerSchema.parse({ ...blank, ...settingsWith(channel, secret) });
  const before = { ...EMPTY, ...channelValuesOf(rowOf(buyer)) };
  const kind = channel.fields.find(({ name }) => name === changed)?.kind;
  const method = kind === 'area' ? 'POST ' : '';
  const after = {
    ...before,
    [changed]: `${method}${kind === 'address' || kind === 'area' ? 'https://' : ''}elsewhere.example.net`,
  };
  expect(channelErrors(after, before)).toMatchObject({ [secret.name]: SECRET_AGAIN_TEXT });
  expect(channelErrors({ ...after, [secret.name]: aSetting(secret) }, before)).not.toHaveProperty(
    secret.name,
  );
});

it('the replacement template is for prepay buyers only', () => {
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
