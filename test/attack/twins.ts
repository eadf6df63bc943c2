/**
 * Two products on one table, as two machines run it. One of them is stopped in the middle of its work, so long that the
 * other takes over what it had begun, and then goes on as if nothing had happened.
 */
import { randomUUID } from 'node:crypto';
import { cp, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Table } from '#functions/data/table/table';
import { ApiClient } from '#local/api-client';
import { freePort } from '#local/engine';
import { TABLE_NAME } from '#local/running';
import { act, postLead, setUp, type World } from '#test/attack/actions';
import { findingsOn } from '#test/attack/invariants';
import { Journal } from '#test/attack/journal';
import { startOutside } from '#test/attack/outside';
import type { PartResult, Report } from '#test/attack/part';
import { advance, letEnd } from '#test/attack/settle';
import { ADMIN } from '#test/harness/cloud';
import { productProcess } from '#test/harness/product-process';
import { seeded } from '#test/harness/random';

export interface TwinsPlan {
  readonly seed: number;
  /** Before the stop, and after it. */
  readonly seconds: number;
  readonly stoppedSeconds: number;
  /** Sources of leads at each of the two. */
  readonly posters: number;
  /** By how much the clocks go forward meanwhile, so that leases end without waiting for them. */
  readonly advanceMinutes: number;
}

export const LONG_TWINS = { posters: 4, seconds: 20, stoppedSeconds: 75, advanceMinutes: 0 } as const;
/** Longer than any lease. */
export const SHORT_TWINS = { posters: 2, seconds: 1, stoppedSeconds: 0.5, advanceMinutes: 15 } as const;

const MAX_PAUSE_MS = 120;

/** @param report told how far it is */
export async function twins(plan: TwinsPlan, report: Report): Promise<PartResult> {
  const random = seeded(plan.seed);
  const folder = join(tmpdir(), `lead-twins-${randomUUID()}`);
  const journal = new Journal();
  const outside = await startOutside(seeded(plan.seed + 1));
  const environment = { ...outside.environment, ADMIN_PASSWORD: ADMIN.password, RECONCILE_SECONDS: '1' };
  const one = await productProcess({ dataDir: join(folder, 'one'), port: await freePort(), environment });
  await one.start();
  const endpoint = one.endpoint;
  await mkdir(join(folder, 'other'), { recursive: true });
  await cp(join(folder, 'one', 'keys.json'), join(folder, 'other', 'keys.json'));
  const other = await productProcess({
    dataDir: join(folder, 'other'),
    port: await freePort(),
    environment: { ...environment, DYNAMODB_ENDPOINT: endpoint },
  });
  const products = [one, other];
  try {
    await other.start();
    report(0.1, 'both run');
    let goesOn = true;
    const worlds: World[] = products.map(({ url }) => ({
      admin: new ApiClient(url),
      visitor: new ApiClient(url),
      journal,
      random,
      goesOn: () => goesOn,
    }));
    for (const { admin } of worlds) await admin.logIn(ADMIN);
    const templates = await setUp(worlds[0]!.admin, outside);

    const repeat = async (world: World, once: () => Promise<unknown>) => {
      while (world.goesOn()) {
        await once();
        await wait(random.next() * MAX_PAUSE_MS);
      }
    };
    const work = Promise.all(
      worlds.flatMap((world) => [
        ...Array.from({ length: plan.posters }, () => repeat(world, () => postLead(world))),
        repeat(world, () => act(world, templates, outside)),
      ]),
    );
    await wait(plan.seconds * 1000);
    const stop = journal.strike('stopped');
    other.signal('SIGSTOP');
    if (plan.advanceMinutes > 0) await advance(one, plan.advanceMinutes);
    await wait(plan.stoppedSeconds * 1000);
    report(0.6, 'one of them was stopped and goes on');
    other.signal('SIGCONT');
    if (plan.advanceMinutes > 0) await advance(other, plan.advanceMinutes);
    stop.over();
    await wait(plan.seconds * 1000);
    goesOn = false;
    await work;

    report(0.9, 'waits for the end of everything');
    const table = new Table({ name: TABLE_NAME, endpoint });
    const stored = await letEnd(
      products,
      worlds.map(({ admin }) => admin),
      table,
      journal,
    );
    const { broken, twice } = await findingsOn(table, stored, journal, outside, templates);
    return {
      name: 'two products',
      figures: {
        'seconds that one was stopped': plan.stoppedSeconds + plan.advanceMinutes * 60,
        'leads accepted': journal.posted.filter(({ state }) => state === 'accepted').length,
        'things that arrived twice, each around the stop': twice,
      },
      broken,
    };
  } finally {
    other.signal('SIGCONT');
    for (const product of products.toReversed()) {
      product.signal('SIGKILL');
      await product.ended();
    }
    await outside.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
