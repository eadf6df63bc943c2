/**
 * Two products on one table, as on two machines. One is stopped in the middle of its work for so long that the other takes
 * over, and then continues as if nothing had happened.
 */
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Table } from '#functions/data/table/table';
import { ApiClient } from '#local/api-client';
import { freePort } from '#local/engine';
import { TABLE_NAME } from '#local/running';
import type { Advance } from '#scripts/progress';
import { act, postLead, setUp, type World } from '#test/attack/actions';
import { attacked } from '#test/attack/attacked';
import { findingsOn } from '#test/attack/invariants';
import type { PartResult } from '#test/attack/part';
import { letEnd } from '#test/attack/settle';
import { ADMIN } from '#test/harness/cloud';
import { productProcess } from '#test/harness/product-process';
import { seeded } from '#test/harness/random';

/** Posting sources at each of the two. */
const POSTERS = 4;
const MAX_PAUSE_MS = 120;
/** Duration before and after the stop. */
const CALM_MS = 20_000;
/** Longer than any lease. */
const STOPPED_SECONDS = 75;

export function twins(seed: number, advance: Advance): Promise<PartResult> {
  const random = seeded(seed);
  return attacked(seed, 1, async ({ dataDir, environment, outside, product, journal, admin }) => {
    const folder = join(dataDir, 'other');
    await mkdir(folder);
    await cp(join(dataDir, 'keys.json'), join(folder, 'keys.json'));
    const { endpoint } = product;
    const other = await productProcess({
      dataDir: folder,
      port: await freePort(),
      environment: { ...environment, DYNAMODB_ENDPOINT: endpoint },
    });
    try {
      await other.start();
      advance();
      let goesOn = true;
      const admins = [admin, new ApiClient(other.url)];
      await admins[1]!.logIn(ADMIN);
      const worlds: World[] = admins.map((one) => ({
        admin: one,
        visitor: one,
        journal,
        random,
        goesOn: () => goesOn,
      }));
      const templates = await setUp(admin, outside);

      const repeat = async (world: World, once: () => Promise<unknown>) => {
        while (world.goesOn()) {
          await once();
          await wait(random.next() * MAX_PAUSE_MS);
        }
      };
      const work = Promise.all(
        worlds.flatMap((world) => [
          ...Array.from({ length: POSTERS }, () => repeat(world, () => postLead(world))),
          repeat(world, () => act(world, templates, outside)),
        ]),
      );
      await wait(CALM_MS);
      const stop = journal.strike('stopped');
      other.signal('SIGSTOP');
      await wait(STOPPED_SECONDS * 1000);
      advance();
      other.signal('SIGCONT');
      stop.over();
      await wait(CALM_MS);
      goesOn = false;
      await work;
      advance();
      const table = new Table({ name: TABLE_NAME, endpoint });
      const stored = await letEnd([product, other], admins, table, journal);
      const { broken, twice } = await findingsOn(table, stored, journal, outside, templates);
      return {
        name: 'two products',
        figures: {
          'seconds that one was stopped': STOPPED_SECONDS,
          'leads accepted': journal.posted.filter(({ state }) => state === 'accepted').length,
          'things that arrived twice, each around the stop': twice,
        },
        broken,
      };
    } finally {
      other.signal('SIGKILL');
      await other.ended();
    }
  });
}
