/**
 * `npm run bench-hanging`: what a partner that hangs, and a thousand deliveries for one buyer, cost the deliveries to others, as
 * ratios within one run.
 */
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { atLeastOne, command, run } from '#scripts/command';
import { percentile } from '#test/bench/stage';
import { settingsOf } from '#test/factories/buyers';
import { people } from '#test/factories/people';
import { addTemplate, openOrder, startTestCloud, type TestCloud } from '#test/harness/cloud';
import { type MailServer, startMailServer } from '#test/harness/mail-server';
import { type StubServer, startStub } from '#test/harness/stub-server';

/** Each with a circuit of its own, so that the circuits do not hide what hangs. */
const BUYERS_THAT_HANG = 20;
const LEADS_FOR_THEM = 80;
/** Imported for a buyer whose server answers at once. */
const LEADS_FOR_ONE = 1000;
const LEADS_PER_IMPORT = 100;
const AT_ONCE = 4;

await run(
  command(
    'bench-hanging',
    'Measures the delivery of leads by mail, alone, beside a thousand deliveries for one buyer, and beside a partner that hangs.',
  )
    .option('--leads <count>', 'leads by mail that each row measures', atLeastOne, 200)
    .action(async ({ leads }) => {
      const cloud = await startTestCloud();
      const mail = await startMailServer();
      const hanging = await startStub(() => 'hang');
      const quick = await startStub();
      try {
        const templateId = await addTemplate(cloud, { smtp_port: mail.port, smtp_subject: '$$email$$' });
        await openOrder(
          cloud.admin,
          { buyer_id: 'healthy', probability: 0, send_email: true, email_template_id: templateId },
          3 * leads + 50,
        );
        const secrets = { heroleadsKey: 'h', httpSecret: 's', trackboxKey: 'k', trackboxPassword: 'p' };
        await openOrder(
          cloud.admin,
          {
            buyer_id: 'one',
            probability: 100,
            ...settingsOf('http', { templateId, partners: quick.host }, secrets),
          },
          LEADS_FOR_ONE,
        );
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
        console.log(`Node ${process.version}, ${availableParallelism()} cores, ${AT_ONCE} leads at once`);
        console.log(`load of the machine: ${loadavg()[0]?.toFixed(1)}`);
        console.log('milliseconds from posting to the mail server | p50 | p95 | max | p95 to alone');
        const alone = await measure(cloud, mail, 2, leads);
        const report = (name: string, times: readonly number[]) => {
          const columns = [50, 95, 100].map((part) => percentile(times, part).toFixed(0));
          const ratio = percentile(times, 95) / percentile(alone, 95);
          console.log([name, ...columns, ratio.toFixed(2)].join(' | '));
        };
        report('alone', alone);
        await importForOne(cloud, quick);
        const doneBefore = quick.calls.length;
        const besideOne = await measure(cloud, mail, 5, leads);
        report(
          `while ${doneBefore} to ${quick.calls.length} of ${LEADS_FOR_ONE} went to one buyer`,
          besideOne,
        );
        await until(() => quick.calls.length >= LEADS_FOR_ONE);
        for (const [at, person] of people(LEADS_FOR_THEM, 3).entries())
          await cloud.admin.ok('createLead', {
            body: { ...person, buyer_id: `hangs-${at % BUYERS_THAT_HANG}` },
          });
        report('with a partner that hangs', await measure(cloud, mail, 4, leads));
        console.log(`calls that the partner that hangs got: ${hanging.calls.length}`);
        console.log(`load of the machine: ${loadavg()[0]?.toFixed(1)}`);
      } finally {
        await hanging.stop();
        await quick.stop();
        await cloud.stop();
        await mail.stop();
      }
    }),
);

/** Leads that only the buyer `one` can take; returns when its deliveries have begun. */
async function importForOne(cloud: TestCloud, { calls }: StubServer): Promise<void> {
  const { source } = await cloud.admin.ok('createSource', { body: { name: 'Page', src: 'page' } });
  const params = { sourceId: source.source_id };
  await cloud.admin.ok('updateSource', { params, body: { state: 'live' } });
  const leads = people(LEADS_FOR_ONE, 6).map((person, at) => {
    const { src: _, buyer_id: __, ...lead } = person;
    return { ...lead, external_id: `lead-${at}`, email: `one-${at}@example.org` };
  });
  for (let start = 0; start < leads.length; start += LEADS_PER_IMPORT)
    await cloud.admin.ok('importLeads', {
      params,
      body: { leads: leads.slice(start, start + LEADS_PER_IMPORT) },
    });
  await until(() => calls.length > 0);
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setTimeout(100);
}

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
