/**
 * Every kind of broken destination at once, each with a buyer of its own, alongside a buyer whose server is well: what is
 * recorded of the first attempt must be true, nothing arrives again unless it may have been lost, the healthy buyer is
 * served as ever, and once the servers recover everything arrives.
 */

import { setTimeout as wait } from 'node:timers/promises';
import * as deliveryStore from '#functions/data/deliveries/delivery-store';
import type { Delivery } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';
import {
  type Fault,
  type FaultyServer,
  httpFaults,
  MAIL_FAULTS,
  startFaultyMailServer,
  startFaultyPartner,
} from '#test/attack/faulty-servers';
import type { PartResult, Report } from '#test/attack/part';
import { settingsOf } from '#test/factories/buyers';
import { aLeadRequest } from '#test/factories/people';
import { SECRETS } from '#test/factories/secrets';
import { addTemplate, openOrder, startTestCloud, type TestCloud } from '#test/harness/cloud';
import { startStub } from '#test/harness/stub-server';

export interface FaultsPlan {
  /** Also those that only a time-out ends. */
  readonly slow: boolean;
}

interface Case {
  readonly fault: Fault;
  readonly channel: 'email' | 'trackbox' | 'http';
  readonly server: FaultyServer;
  readonly leadId: string;
}

/** Of the faults of partners over HTTP, in the few seconds of the tests. */
const HTTP_EVERY = 4;
const MINUTE_MS = 60_000;
/** Until the last retry of a day. */
const ADVANCE_MINUTES = [2, 6, 20, 70, 70, 130, 400, 800] as const;
const HEALTHY_LEADS = 5;
const MAX_HEALTHY_MS = 10_000;
const CHECK_EVERY_MS = 5;
const MAX_MORE_MEMORY_BYTES = 300 * 1024 * 1024;

/** @param report told how far it is */
export async function faults({ slow }: FaultsPlan, report: Report): Promise<PartResult> {
  const broken: string[] = [];
  const logged: string[] = [];
  const canary = await startStub();
  // Before anything runs: to pack what swells takes a second.
  const broughtByHttp = httpFaults(canary.url);
  const cloud = await startTestCloud({
    environment: { TRACKBOX_SCHEME: 'http' },
    onLog: (line) => logged.push(line),
  });
  const cases: Case[] = [];
  const memoryBefore = process.memoryUsage().rss;
  try {
    const email_template_id = await addTemplate(cloud);
    const healthy = await openOrder(
      cloud.admin,
      { send_email: true, email_template_id, probability: 0 },
      1000,
    );
    const wanted = (fault: Fault) => slow || fault.slow !== true;
    for (const fault of MAIL_FAULTS.filter(wanted)) {
      const server = await startFaultyMailServer(fault);
      const template = await addTemplate(cloud, { smtp_port: server.port, smtp_host: '127.0.0.1' });
      cases.push(
        await startCase(cloud, fault, server, 'email', { send_email: true, email_template_id: template }),
      );
    }
    for (const [place, fault] of broughtByHttp.filter(wanted).entries()) {
      if (slow || place % HTTP_EVERY === 0)
        cases.push(await startHttpCase(cloud, fault, await startFaultyPartner(fault)));
      const server = await startFaultyPartner(fault);
      const at = { templateId: email_template_id, partners: `127.0.0.1:${server.port}` };
      cases.push(await startCase(cloud, fault, server, 'trackbox', settingsOf('trackbox', at, SECRETS)));
    }
    report(0.2, `${cases.length} broken destinations`);
    const healthyMs = await serveHealthy(cloud, healthy.buyer_id, broken);
    await cloud.settled();
    report(0.6, 'every first attempt was made');
    const read = async ({ leadId, channel }: Case) => (await deliveryStore.get(cloud, leadId, channel))!;
    for (const one of cases) {
      const [first] = (await read(one)).attempts;
      if (first?.outcome === undefined || !one.fault.outcomes.some((outcome) => outcome === first.outcome))
        broken.push(`${nameOf(one)}: recorded as ${first?.outcome} (${first?.answer}), which is not so`);
    }
    for (const one of cases)
      if ((await leadStore.get(cloud, one.leadId))?.refused_by !== undefined)
        broken.push(`${nameOf(one)}: taken for a no, and the lead was given on`);
    for (const { server } of cases) server.recover();
    for (const minutes of ADVANCE_MINUTES) {
      await cloud.advance(minutes * MINUTE_MS);
      await cloud.settled();
    }
    for (const one of cases) broken.push(...brokenAtTheEnd(one, await read(one)));

    if (canary.calls.length > 0) broken.push(`${canary.calls.length} redirects were followed`);
    const grown = process.memoryUsage().rss - memoryBefore;
    if (grown > MAX_MORE_MEMORY_BYTES) broken.push(`memory grew by ${Math.round(grown / 1024 / 1024)} MB`);
    for (const line of logged)
      if (line.includes('"level":"error"')) broken.push(`an error in the log: ${line.slice(0, 300)}`);
    return {
      name: 'faults',
      figures: {
        'mail servers broken, partners broken': `${cases.filter(({ channel }) => channel === 'email').length}, ${cases.filter(({ channel }) => channel !== 'email').length}`,
        'longest delivery of a healthy buyer, ms': healthyMs,
        'memory grown, MB': Math.round(grown / 1024 / 1024),
      },
      broken,
    };
  } finally {
    await Promise.all(cases.map(({ server }) => server.stop()));
    await cloud.stop();
    await canary.stop();
  }
}

const nameOf = ({ channel, fault }: Case) => `${channel}, ${fault.name}`;

async function startCase(
  cloud: TestCloud,
  fault: Fault,
  server: FaultyServer,
  channel: Case['channel'],
  settings: Parameters<typeof openOrder>[1],
): Promise<Case> {
  const { buyer_id } = await openOrder(cloud.admin, { ...settings, probability: 0 });
  const { lead_id } = await cloud.admin.ok('createLead', { body: aLeadRequest({ buyer_id }) });
  return { fault, channel, server, leadId: lead_id };
}

/** The buyer reassigns what is refused, and got the lead by its weight: so whatever is taken for a no takes it away. */
async function startHttpCase(cloud: TestCloud, fault: Fault, server: FaultyServer): Promise<Case> {
  const { buyer_id } = await openOrder(cloud.admin, {
    use_http_api: true,
    http_url: `http://127.0.0.1:${server.port}/leads`,
    http_body: '{ "id": "$$lead_id$$", "email": "$$email$$" }',
    http_rules: [
      { subject: 'path', path: 'status', value: 'true', verdict: 'accepted' },
      { subject: 'status', path: '', value: '400, 422', verdict: 'refused' },
    ],
    on_refusal: 'reassign',
    probability: 100,
  });
  const { lead_id } = await cloud.admin.ok('createLead', { body: aLeadRequest() });
  await cloud.admin.ok('updateBuyer', { params: { buyerId: buyer_id }, body: { probability: 0 } });
  return { fault, channel: 'http', server, leadId: lead_id };
}

/** @returns the longest time from the intake of a lead to its mail */
async function serveHealthy(cloud: TestCloud, buyer_id: string, broken: string[]): Promise<number> {
  const { inbox } = cloud;
  let longest = 0;
  for (let n = 0; n < HEALTHY_LEADS; n += 1) {
    const before = inbox.mails.length;
    const began = performance.now();
    await cloud.admin.ok('createLead', { body: aLeadRequest({ buyer_id }) });
    while (inbox.mails.length === before && performance.now() - began < MAX_HEALTHY_MS)
      await wait(CHECK_EVERY_MS);
    longest = Math.max(longest, performance.now() - began);
  }
  if (longest >= MAX_HEALTHY_MS) broken.push(`a healthy buyer waited ${Math.round(longest)} ms for a lead`);
  return Math.round(longest);
}

/** After the servers recovered and a day passed. */
function brokenAtTheEnd(one: Case, { status, attempts }: Delivery): string[] {
  const first = attempts[0]?.outcome;
  const expected = first === 'permanent' ? 'failed' : 'delivered';
  const unknown = attempts.filter(({ outcome }) => outcome === 'unknown').length;
  const found: string[] = [];
  if (status !== expected) found.push(`${nameOf(one)}: ${first} at first, ${status} after a day`);
  if (one.server.taken() > 1 + unknown)
    found.push(`${nameOf(one)}: taken ${one.server.taken()} times with ${unknown} unknown attempts`);
  if (status === 'delivered' && one.server.taken() === 0)
    found.push(`${nameOf(one)}: delivered, never taken`);
  return found;
}
