/** Sends test leads, e-mails and pushes. They are neither stored nor counted. */

import type { Report, Trial } from '#functions/channels/channel';
import { leadMessage } from '#functions/channels/email';
import type { PushResult, SendPush } from '#functions/channels/pushover';
import type { Message } from '#functions/channels/smtp';
import type { PushoverCredential } from '#functions/data/administration/settings';
import type { Template } from '#functions/data/administration/template';
import type { Buyer } from '#functions/data/buyers/buyer';
import type { Context } from '#functions/data/context';
import type { DeliveryPayload } from '#functions/data/deliveries/payloads';
import * as payloadStore from '#functions/data/deliveries/payloads';
import type { Consent } from '#functions/data/leads/consent';
import type { Person } from '#functions/data/leads/lead';
import type { Channels } from '#functions/domain/deliveries/deliveries';
import type { Cipher } from '#functions/keys/cipher';
import type { Runtime } from '#functions/platform/runtime';
import type { Channel } from '#shared/channels/channels';
import { EXAMPLE_DELIVERY } from '#shared/rules/lead-values';

/** The API must answer within twenty seconds. */
const TEST_TIMEOUT_MS = 15_000;

/** Recognisable as a test; the Bundesnetzagentur reserves the phone number for fiction. */
const TEST_PERSON: Person = {
  anrede: 'Herr',
  vorname: 'Test',
  nachname: 'Testlead',
  email: 'testlead@example.com',
  telefon: '+49 30 23125123',
  anlagebetrag: 2_500_000,
  laufzeit: 36,
  clickId: 'test',
  src: 'test',
};

const testConsent = (now: Date): Consent => ({
  given_at: now.toISOString(),
  method: 'form',
  channels: ['phone', 'email'],
  text: 'Testlead ohne Einwilligung einer Person.',
  page_url: 'https://example.com/',
});

const EXAMPLE_TOKEN = 'example';

/** No real lead has these numbers, so a partner cannot mistake a later lead for a duplicate. */
const NO_DELIVERY = { order_id: 0, sequence: 0 };

export async function sendTestLead(
  context: Context & { readonly channels: Channels },
  buyer: Buyer,
  channel: Channel,
): Promise<Report> {
  const [template, token] = await Promise.all([
    payloadStore.templateOf(context, buyer, channel, 'original'),
    payloadStore.latestTokenOf(context, buyer),
  ]);
  const payload = testPayload(context.runtime, buyer, template, token);
  return context.channels[channel].send(payload, context.runtime.timeout(TEST_TIMEOUT_MS));
}

/** Returns the whole call. @param buyer with unsaved settings @param channel one of `CONSOLE_CHANNELS` */
export async function tryChannel(
  context: { readonly channels: Channels; readonly runtime: Pick<Runtime, 'newId' | 'now' | 'timeout'> },
  buyer: Buyer,
  channel: Channel,
): Promise<Trial & { readonly durationMs: number }> {
  const adapter = context.channels[channel];
  if (adapter.tryOut === undefined) throw new Error(`The channel ${channel} has no console`);
  const { runtime } = context;
  const began = runtime.now();
  const payload = testPayload(runtime, buyer, null, '');
  const trial = await adapter.tryOut(payload, runtime.timeout(TEST_TIMEOUT_MS));
  return { ...trial, durationMs: runtime.now().getTime() - began.getTime() };
}

function testPayload(
  runtime: Pick<Runtime, 'newId' | 'now'>,
  buyer: Buyer,
  template: Template | null,
  token: string,
): DeliveryPayload {
  return {
    lead_id: runtime.newId(),
    person: TEST_PERSON,
    consent: testConsent(runtime.now()),
    received_at: runtime.now().toISOString(),
    delivery: { ...NO_DELIVERY, lead_type: 'original', attempt_count: 0 },
    buyer,
    template,
    token,
    afterUnknown: false,
  };
}

export async function sendTestEmail(
  context: {
    readonly mail: (template: Template, message: Message, signal: AbortSignal) => Promise<Report>;
    readonly publicBaseUrl: string;
    readonly runtime: Pick<Runtime, 'newId' | 'now' | 'timeout'>;
  },
  template: Template,
  to: string,
): Promise<Report> {
  const lead = {
    lead_id: context.runtime.newId(),
    person: TEST_PERSON,
    consent: testConsent(context.runtime.now()),
    delivery: EXAMPLE_DELIVERY,
    token: EXAMPLE_TOKEN,
  };
  const message = leadMessage(lead, template, to, context.publicBaseUrl);
  return context.mail(template, message, context.runtime.timeout(TEST_TIMEOUT_MS));
}

/** @throws CipherError if the stored keys cannot be read */
export async function sendTestPush(
  context: { readonly push: SendPush; readonly cipher: Pick<Cipher, 'decrypt'> },
  credential: PushoverCredential,
): Promise<PushResult> {
  return context.push({
    token: context.cipher.decrypt(credential.app_key),
    user: context.cipher.decrypt(credential.user_key),
    title: 'Test notification',
    message: 'Notifications from Lead Distribution will arrive here.',
  });
}
