/** From intake to assigned and to delivered, through the whole embedded cloud and a mail server. */
import { percentile } from '#test/bench/stage';
import { startTestCloud } from '#test/harness/cloud';
import { startMailServer } from '#test/harness/mail-server';
import { people } from '#test/harness/people';

/** Milliseconds. */
export interface Latency {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export async function measureLatency(leads: number): Promise<{ assigned: Latency; delivered: Latency }> {
  const cloud = await startTestCloud();
  const mail = await startMailServer();
  try {
    let arrived: () => void = () => undefined;
    mail.message = () => {
      arrived();
      return undefined;
    };
    const { template } = await cloud.admin.ok('createEmailTemplate', {
      body: {
        name: 'Neuer Lead',
        smtp_host: 'localhost',
        smtp_port: mail.port,
        smtp_user: 'user',
        smtp_pass: 'secret',
        smtp_from: 'leads@example.org',
        smtp_subject: 'Lead $$order_lead_id$$',
        smtp_body: '$$anrede$$ $$vorname$$ $$nachname$$, $$email$$',
        smtp_html_body: '<b>$$nachname$$</b>',
      },
    });
    for (let buyer = 0; buyer < 20; buyer += 1) {
      const buyer_id = `buyer-${buyer}`;
      await cloud.admin.ok('createBuyer', {
        body: {
          buyer_id,
          buyer_email: `${buyer_id}@example.org`,
          probability: 5,
          send_email: true,
          email_template_id: template.id,
        },
      });
      await cloud.admin.ok('createOrder', { body: { buyer_id, lead_limit: 1000 } });
    }
    const assigned: number[] = [];
    const delivered: number[] = [];
    for (const [at, lead] of people(leads + 5).entries()) {
      const mailed = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      const begin = performance.now();
      await cloud.admin.ok('createLead', { body: lead });
      const answered = performance.now();
      await mailed;
      // The first ones only warm the process up.
      if (at < 5) continue;
      assigned.push(answered - begin);
      delivered.push(performance.now() - begin);
    }
    return { assigned: latencyOf(assigned), delivered: latencyOf(delivered) };
  } finally {
    await cloud.stop();
    await mail.stop();
  }
}

function latencyOf(times: readonly number[]): Latency {
  return { p50: percentile(times, 50), p95: percentile(times, 95), p99: percentile(times, 99) };
}
