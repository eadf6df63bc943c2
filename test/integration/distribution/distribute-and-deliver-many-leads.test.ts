import { describe, expect, vi } from 'vitest';
import type { Answer } from '#shared/contract/schemas';
import { people } from '#test/factories/people';
import { addTemplate, openOrder, type TestCloud } from '#test/harness/cloud';
import { violations } from '#test/harness/distribution';
import { itOnEngine as it } from '#test/harness/fixtures';

/** A thousand every week, by `DELIVERED_LEADS`. */
const LEADS = Number(process.env.DELIVERED_LEADS ?? 300);
const CONCURRENCY = 16;
const BUYERS = [
  { id: 'forty', probability: 40, limit: Math.floor(LEADS * 0.25), channel: 'email' },
  { id: 'twenty-five', probability: 25, limit: Math.floor(LEADS * 0.4), channel: 'heroleads' },
  { id: 'twenty', probability: 20, limit: Math.floor(LEADS * 0.12), channel: 'email' },
  { id: 'ten', probability: 10, limit: Math.floor(LEADS * 0.06), minimum: 50_000, channel: 'email' },
  { id: 'five', probability: 5, limit: Math.floor(LEADS * 0.015), channel: 'heroleads' },
];

let cloud: TestCloud;
const answers: { answer: Answer<'createLead'>; email: string }[] = [];
let refusedStatus: number[] = [];
const assignedOver = (wanted: string) =>
  answers.filter(
    ({ answer }) =>
      answer.status === 'assigned' &&
      BUYERS.some(({ id, channel }) => id === answer.buyer && channel === wanted),
  );

it.beforeAll(async ({ cloud: started }) => {
  cloud = started;
  const email_template_id = await addTemplate(cloud, {
    smtp_subject: 'Lead $$order_lead_id$$: $$vorname$$ $$nachname$$',
    smtp_body: '$$anrede$$ $$vorname$$ $$nachname$$, $$email$$, $$telefon$$, $$anlagebetrag$$, $$laufzeit$$',
    smtp_html_body: '<b>$$nachname$$</b>',
  });
  for (const { id, probability, limit, minimum, channel } of BUYERS)
    await openOrder(
      cloud.admin,
      {
        buyer_id: id,
        probability,
        min_investment: minimum ?? 0,
        price_per_lead: 45.5,
        send_email: channel === 'email',
        email_template_id,
        use_heroleads_api: channel === 'heroleads',
        heroleads_api_key: 'key',
        heroleads_lead_type_id: '12',
      },
      limit,
    );
  const waiting = people(LEADS);
  refusedStatus = [];
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (let lead = waiting.pop(); lead !== undefined; lead = waiting.pop()) {
        const reply = await cloud.admin.call('createLead', { body: lead });
        if (reply.status === 200)
          answers.push({ answer: reply.body as Answer<'createLead'>, email: lead.email });
        else refusedStatus.push(reply.status);
      }
    }),
  );
  // A message that gets no turn at its destination comes back after some seconds.
  await vi.waitFor(
    () => {
      expect(cloud.inbox.mails).toHaveLength(assignedOver('email').length);
      expect(cloud.partners.calls).toHaveLength(assignedOver('heroleads').length);
    },
    { timeout: 300_000, interval: 100 },
  );
  await cloud.settled();
}, 600_000);

describe(`${LEADS} leads, sixteen at once, for five buyers`, () => {
  it('are all accepted, and each is assigned or pending', async () => {
    expect(refusedStatus).toEqual([]);
    expect(answers).toHaveLength(LEADS);
    expect(await violations(cloud.table, LEADS)).toEqual([]);
  });

  it('fill small orders and none beyond its limit', async () => {
    const { orders } = await cloud.admin.ok('listOrders');
    const received = Object.fromEntries(orders.map((order) => [order.buyer_id, order.leads_received]));
    for (const { id, limit } of BUYERS) expect(received[id]).toBeLessThanOrEqual(limit);
    expect(received.forty).toBe(LEADS * 0.25);
    expect(received['twenty-five']).toBe(LEADS * 0.4);
    expect(orders.find(({ buyer_id }) => buyer_id === 'forty')).toMatchObject({
      status: 'Completed',
      actual_cost: LEADS * 0.25 * 45.5,
    });
  });

  it('arrive by e-mail exactly once, with every field filled in', () => {
    const assigned = assignedOver('email');
    const arrived = new Map<string, number>();
    for (const mail of cloud.inbox.mails) {
      const id = /^Lead (\d+-\d+):/.exec(mail.subject)?.[1] ?? mail.subject;
      arrived.set(id, (arrived.get(id) ?? 0) + 1);
    }
    expect(arrived.size).toBe(assigned.length);
    expect([...arrived.values()].every((times) => times === 1)).toBe(true);
    for (const { answer, email } of assigned) {
      const mail = cloud.inbox.mails.find(({ subject }) => subject.startsWith(`Lead ${answer.display_id}:`));
      expect(mail?.to).toEqual([`${answer.buyer}@buyers.example`]);
      expect(mail?.text).toContain(email);
      expect(mail?.text).not.toContain('$$');
    }
  });

  it('arrive at the lead broker exactly once, unchanged', () => {
    const assigned = assignedOver('heroleads');
    expect(assigned.length).toBeGreaterThan(0);
    const arrived = new Map(cloud.partners.calls.map(({ fields }) => [fields.uuid, fields.email]));
    expect(cloud.partners.calls).toHaveLength(assigned.length);
    expect(arrived).toEqual(new Map(assigned.map(({ answer, email }) => [answer.lead_id, email])));
  });
});
