/** `npm run bench-hanging`: what a partner that hangs costs the deliveries to others, as a ratio within one run. */
import { availableParallelism } from 'node:os';
import { command, run } from '#scripts/command';
import { percentile } from '#test/bench/stage';
import { settingsOf } from '#test/factories/buyers';
import { people } from '#test/factories/people';
import { addTemplate, openOrder, startTestCloud, type TestCloud } from '#test/harness/cloud';
import { type MailServer, startMailServer } from '#test/harness/mail-server';
import { startStub } from '#test/harness/stub-server';

/** Each with a circuit of its own, so that the circuits do not hide what hangs. */
const BUYERS_THAT_HANG = 20;
const LEADS_FOR_THEM = 80;
const HEALTHY_LEADS = 200;
const AT_ONCE = 4;

await run(
  command(
    'bench-hanging',
    'Measures the delivery of leads by mail without and with a partner that hangs.',
  ).action(async () => {
    const cloud = await startTestCloud();
    const mail = await startMailServer();
    const hanging = await startStub(() => 'hang');
    try {
      const templateId = await addTemplate(cloud, { smtp_port: mail.port, smtp_subject: '$$email$$' });
      await openOrder(
        cloud.admin,
        { buyer_id: 'healthy', probability: 0, send_email: true, email_template_id: templateId },
        2 * HEALTHY_LEADS + 50,
      );
      const secrets = { heroleadsKey: 'h', trackboxKey: 'k', trackboxPassword: 'p' };
      for (let buyer = 0; buyer < BUYERS_THAT_HANG; buyer += 1)
        await openOrder(
          cloud.admin,
          {
            buyer_id: `hangs-${buyer}`,
            probability: 0,
            ...settingsOf('trackbox', { templateId, partners: hanging.host }, secrets),
          },
          LEADS_FOR_THEM,
        );
      await measure(cloud, mail, 1, 50);
      const without = await measure(cloud, mail, 2, HEALTHY_LEADS);
      for (const [at, person] of people(LEADS_FOR_THEM, 3).entries())
        await cloud.admin.ok('createLead', {
          body: { ...person, buyer_id: `hangs-${at % BUYERS_THAT_HANG}` },
        });
      const withIt = await measure(cloud, mail, 4, HEALTHY_LEADS);
      console.log(`Node ${process.version}, ${availableParallelism()} cores, ${AT_ONCE} leads at once`);
      console.log(`calls that the partner got: ${hanging.calls.length}`);
      console.log('milliseconds from posting to the mail server | p50 | p95 | max');
      for (const [name, times] of [
        ['without', without],
        ['with a partner that hangs', withIt],
      ] as const)
        console.log(
          `${name} | ${[50, 95, 100].map((part) => percentile(times, part).toFixed(0)).join(' | ')}`,
        );
      console.log(`ratio of p95: ${(percentile(withIt, 95) / percentile(without, 95)).toFixed(2)}`);
    } finally {
      await hanging.stop();
      await cloud.stop();
      await mail.stop();
    }
  }),
);

/** @returns milliseconds from posting each lead to its mail */
async function measure(cloud: TestCloud, mail: MailServer, seed: number, leads: number): Promise<number[]> {
  const arrivals = new Map<string, () => void>();
  mail.message = async (received) => {
    const { subject = '' } = await received.mail();
    arrivals.get(subject)?.();
    return undefined;
  };
  const waiting = people(leads, seed).map((person, at) => ({
    ...person,
    email: `lead-${seed}-${at}@example.org`,
  }));
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let person = waiting.pop(); person !== undefined; person = waiting.pop()) {
        const { email } = person;
        const arrived = new Promise<void>((resolve) => arrivals.set(email, resolve));
        const begin = performance.now();
        await cloud.admin.ok('createLead', { body: { ...person, buyer_id: 'healthy' } });
        await arrived;
        times.push(performance.now() - begin);
      }
    }),
  );
  return times;
}
