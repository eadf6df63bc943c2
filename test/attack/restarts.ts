/** Several restarts within a minute while deliveries wait: each start sends at once what is due. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Table } from '#functions/data/table/table';
import { ApiClient } from '#local/api-client';
import { freePort } from '#local/engine';
import { TABLE_NAME } from '#local/running';
import { postLead, setUp, type World } from '#test/attack/actions';
import { findingsOn, readStored } from '#test/attack/invariants';
import { Journal } from '#test/attack/journal';
import { startOutside } from '#test/attack/outside';
import type { PartResult, Report } from '#test/attack/part';
import { letEnd } from '#test/attack/settle';
import { ADMIN } from '#test/harness/cloud';
import { productProcess } from '#test/harness/product-process';
import { seeded } from '#test/harness/random';

export interface RestartsPlan {
  readonly seed: number;
  readonly leads: number;
  readonly restarts: number;
}

export const LONG_RESTARTS = { leads: 150, restarts: 4 } as const;
export const SHORT_RESTARTS = { leads: 24, restarts: 2 } as const;

const POSTERS = 8;
/** After the last start; what was being sent when the process died waits for the end of its lease. */
const MAX_BACKLOG_MS = 30_000;
/** Deliveries that one process makes at once, so that a kill leaves their outcome unknown; they are repeated later. */
const MAX_BEING_SENT = 16;
const CHECK_EVERY_MS = 250;

/** @param report told how far it is */
export async function restarts(plan: RestartsPlan, report: Report): Promise<PartResult> {
  const dataDir = join(tmpdir(), `lead-restarts-${randomUUID()}`);
  const journal = new Journal();
  const outside = await startOutside(seeded(plan.seed + 1));
  const product = await productProcess({
    dataDir,
    port: await freePort(),
    environment: { ...outside.environment, ADMIN_PASSWORD: ADMIN.password },
  });
  try {
    await product.start();
    const admin = new ApiClient(product.url);
    await admin.logIn(ADMIN);
    const templates = await setUp(admin, outside);
    const random = seeded(plan.seed);
    const world: World = { admin, visitor: admin, journal, random, goesOn: () => true };
    const posters = Array.from({ length: POSTERS }, async () => {
      while (journal.posted.length < plan.leads) await postLead(world);
    });
    await Promise.all(posters);
    for (let n = 1; n <= plan.restarts; n += 1) {
      const kill = journal.strike('product');
      product.signal('SIGKILL');
      await product.ended();
      kill.over();
      await product.start();
      report(n / (plan.restarts + 2), `${n} restarts`);
    }
    const table = new Table({ name: TABLE_NAME, endpoint: product.endpoint });
    const waiting = async () =>
      (await readStored(table)).deliveries.filter(
        ({ status }) => status === 'pending' || status === 'retrying',
      ).length;
    const began = Date.now();
    const before = await waiting();
    let left = before;
    const beingSent = MAX_BEING_SENT * plan.restarts;
    while (left > beingSent && Date.now() - began < MAX_BACKLOG_MS) {
      await wait(CHECK_EVERY_MS);
      left = await waiting();
    }
    const tookMs = Date.now() - began;
    const stored = await letEnd([product], [admin], table, journal);
    const { broken, twice } = await findingsOn(table, stored, journal, outside, templates);
    return {
      name: 'restarts',
      figures: {
        'restarts in a row': plan.restarts,
        'deliveries waiting after the last': before,
        'of these left, of which a kill may have taken the answer': left,
        'seconds until then': Number((tookMs / 1000).toFixed(1)),
        'things that arrived twice, each after a kill': twice,
      },
      broken: [
        ...(left > beingSent
          ? [`${left} of ${before} deliveries still waited ${MAX_BACKLOG_MS / 1000} s after the last start`]
          : []),
        ...broken,
      ],
    };
  } finally {
    product.signal('SIGKILL');
    await product.ended();
    await outside.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}
