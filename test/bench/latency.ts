/** From intake to assignment and to delivery, through the whole embedded cloud and a mail server. */
import { percentile } from '#test/bench/stage';
import { people } from '#test/factories/people';
import { addTemplate, openOrder, startTestCloud } from '#test/harness/cloud';
import { startMailServer } from '#test/harness/mail-server';

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
    const email_template_id = await addTemplate(cloud, {
      smtp_port: mail.port,
      smtp_body: '$$anrede$$ $$vorname$$ $$nachname$$, $$email$$',
      smtp_html_body: '<b>$$nachname$$</b>',
    });
    for (let buyer = 0; buyer < 20; buyer += 1)
      await openOrder(cloud.admin, { probability: 5, send_email: true, email_template_id }, 1000);
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
      // The first leads only warm up the process.
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
