/** Sends test leads, e-mails and pushes to check settings. Nothing of it is stored or counted. */
import type { Report, Trial } from '#functions/channels/channel';
import { leadMessage } from '#functions/channels/email';
import type { PushResult, SendPush } from '#functions/channels/pushover';
import type { Message } from '#functions/channels/smtp';
import type { PushoverCredential } from '#functions/data/administration/settings';
import type { Template } from '#functions/data/administration/template';
import type { Buyer } from '#functions/data/buyers/buyer';
import type { DeliveryPayload, PayloadLoader } from '#functions/data/deliveries/payloads';
import type { Person } from '#functions/data/leads/lead';
import type { Channels } from '#functions/domain/deliveries/deliveries';
import type { Cipher } from '#functions/keys/cipher';
import type { Runtime } from '#functions/runtime';
import type { Channel } from '#shared/channels/channels';
import { EXAMPLE_DELIVERY } from '#shared/rules/lead-values';

/** The API itself has to answer within twenty seconds. */
const TEST_TIMEOUT_MS = 15_000;

/** Recognisable as a test; the Bundesnetzagentur reserves the phone number for use in fiction. */
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

/** Of no order: it shows where the link to the list stands, and opens none. */
const EXAMPLE_TOKEN = 'example';

/** Numbers of no real lead, so that a partner who keeps the test lead takes no later one for a duplicate of it. */
const NO_DELIVERY = { order_id: 0, sequence: 0 };

/** Sends a made-up lead to a buyer over one channel, whether or not the channel is switched on. */
export async function sendTestLead(
  deps: {
    readonly channels: Channels;
    readonly payloads: Pick<PayloadLoader, 'templateOf' | 'latestTokenOf'>;
    readonly runtime: Pick<Runtime, 'newId' | 'now' | 'timeout'>;
  },
  buyer: Buyer,
  channel: Channel,
): Promise<Report> {
  const [template, token] = await Promise.all([
    deps.payloads.templateOf(buyer, channel, 'original'),
    deps.payloads.latestTokenOf(buyer),
  ]);
  const payload = testPayload(deps.runtime, buyer, template, token);
  return deps.channels[channel].send(payload, deps.runtime.timeout(TEST_TIMEOUT_MS));
}

/**
 * Sends a made-up lead over a channel with a console, and shows the whole call.
 * @param buyer with the settings as they are typed
 * @param channel one of `CONSOLE_CHANNELS`
 */
export async function tryChannel(
  deps: { readonly channels: Channels; readonly runtime: Pick<Runtime, 'newId' | 'now' | 'timeout'> },
  buyer: Buyer,
  channel: Channel,
): Promise<Trial & { readonly durationMs: number }> {
  const adapter = deps.channels[channel];
  if (adapter.tryOut === undefined) throw new Error(`The channel ${channel} has no console`);
  const began = deps.runtime.now();
  const trial = await adapter.tryOut(
    testPayload(deps.runtime, buyer, null, ''),
    deps.runtime.timeout(TEST_TIMEOUT_MS),
  );
  return { ...trial, durationMs: deps.runtime.now().getTime() - began.getTime() };
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
    received_at: runtime.now().toISOString(),
    delivery: { ...NO_DELIVERY, lead_type: 'original', attempt_count: 0 },
    buyer,
    template,
    token,
    afterUnknown: false,
  };
}

/** Sends a template with made-up values to an address. */
export async function sendTestEmail(
  deps: {
    readonly mail: (template: Template, message: Message, signal: AbortSignal) => Promise<Report>;
    readonly publicBaseUrl: string;
    readonly runtime: Pick<Runtime, 'newId' | 'timeout'>;
  },
  template: Template,
  to: string,
): Promise<Report> {
  const lead = {
    lead_id: deps.runtime.newId(),
    person: TEST_PERSON,
    delivery: EXAMPLE_DELIVERY,
    token: EXAMPLE_TOKEN,
  };
  const message = leadMessage(lead, template, to, deps.publicBaseUrl);
  return deps.mail(template, message, deps.runtime.timeout(TEST_TIMEOUT_MS));
}

/** @throws CipherError when the stored keys cannot be read */
export async function sendTestPush(
  deps: { readonly push: SendPush; readonly cipher: Pick<Cipher, 'decrypt'> },
  credential: PushoverCredential,
): Promise<PushResult> {
  return deps.push({
    token: deps.cipher.decrypt(credential.app_key),
    user: deps.cipher.decrypt(credential.user_key),
    title: 'Test notification',
    message: 'Notifications of the lead distribution reach you here.',
  });
}
