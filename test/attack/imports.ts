/** A file imported over kills of the product: every row arrives once, however often its part of the file is sent. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Table } from '#functions/data/table/table';
import { ApiClient } from '#local/api-client';
import { freePort } from '#local/engine';
import { TABLE_NAME } from '#local/running';
import type { Answer } from '#shared/contract/schemas';
import { setUp } from '#test/attack/actions';
import { findingsOn } from '#test/attack/invariants';
import { Journal } from '#test/attack/journal';
import { startOutside } from '#test/attack/outside';
import type { PartResult, Report } from '#test/attack/part';
import { letEnd } from '#test/attack/settle';
import { aPerson } from '#test/factories/people';
import { ADMIN } from '#test/harness/cloud';
import { productProcess } from '#test/harness/product-process';
import { seeded } from '#test/harness/random';

export interface ImportsPlan {
  readonly seed: number;
  readonly rows: number;
  readonly kills: number;
}

export const LONG_IMPORTS = { rows: 10_000, kills: 12 } as const;
export const SHORT_IMPORTS = { rows: 400, kills: 2 } as const;

/** As the import screen sends them. */
const ROWS_A_CALL = 100;
/** One row in so many is no lead. */
const INVALID_EVERY = 100;
/** A call takes about as long as this on a busy machine: kills fall before, in and after it. */
const MAX_BEFORE_KILL_MS = 2500;
const CHECK_EVERY_MS = 50;

/** Of the calls of the file, which is imported once more in the end. */
const AGAIN_EVERY = 4;

type Row = Record<string, string | number>;
type Result = Answer<'importLeads'>['results'][number];

/** As of a file: under ids that follow from it. */
function rowsOf(count: number): Row[] {
  return Array.from({ length: count }, (_, at) => {
    const { anrede, vorname, nachname } = aPerson();
    const email = at % INVALID_EVERY === INVALID_EVERY - 1 ? 'nobody' : `row-${at}@example.org`;
    const telefon = `+49170${1_000_000 + at}`;
    return {
      external_id: `file:${at}`,
      anrede,
      vorname,
      nachname,
      email,
      telefon,
      anlagebetrag: 25_000,
      laufzeit: 12,
    };
  });
}

/** @param report told how far it is */
export async function imports(plan: ImportsPlan, report: Report): Promise<PartResult> {
  const dataDir = join(tmpdir(), `lead-imports-${randomUUID()}`);
  const journal = new Journal();
  const random = seeded(plan.seed);
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
    const params = { sourceId: templates.source };
    // They go out one at a time, for longer than all else takes.
    for (const { id } of await admin.ok('listPushoverCredentials'))
      await admin.ok('deletePushoverCredential', { params: { id } });
    // Most rows find room, the last ones wait for it.
    const { buyers } = await admin.ok('listBuyers');
    for (const { buyer_id } of buyers)
      await admin.ok('updateOrderLimit', {
        params: { buyerId: buyer_id },
        body: { lead_limit: Math.ceil((plan.rows / buyers.length) * 1.1) },
      });
    await admin.ok('updateSource', { params, body: { window_days: 30 } });

    const rows = rowsOf(plan.rows);
    const calls = Math.ceil(rows.length / ROWS_A_CALL);
    /** The calls in which a kill comes; the first time each is sent. */
    const deadly = new Set(
      Array.from({ length: plan.kills }, (_, at) => Math.floor(((at + random.next()) * calls) / plan.kills)),
    );
    const kill = async () => {
      await wait(random.below(MAX_BEFORE_KILL_MS));
      const strike = journal.strike('product');
      product.signal('SIGKILL');
      await product.ended();
      strike.over();
      await product.start();
    };
    /** Until it is answered, as who presses “Continue”. */
    const send = async (part: readonly Row[]): Promise<readonly Result[]> => {
      for (;;) {
        const made = await journal.make('rows of a file', () =>
          admin.ok('importLeads', { params, body: { leads: [...part] } }),
        );
        if ('answer' in made) return made.answer.results;
        if ('refused' in made) throw made.refused;
        await wait(CHECK_EVERY_MS);
      }
    };
    const importAll = async (withKills: boolean, every = 1) => {
      const results: Result[] = [];
      for (let at = 0; at < calls; at += every) {
        const part = rows.slice(at * ROWS_A_CALL, (at + 1) * ROWS_A_CALL);
        const [answered] = await Promise.all([send(part), withKills && deadly.has(at) ? kill() : undefined]);
        results.push(...answered);
        report((at / calls) * (withKills ? 0.5 : 0.1) + (withKills ? 0 : 0.5), `${results.length} rows`);
      }
      return results;
    };
    const began = Date.now();
    const results = await importAll(true);
    const seconds = (Date.now() - began) / 1000;
    for (const [at, { status, lead_id: leadId }] of results.entries()) {
      const email = String(rows[at]?.email);
      const wanted = email === 'nobody' ? 'invalid' : 'accepted';
      if (status !== wanted) journal.violation(`row ${at} was answered as ${status} instead of ${wanted}`);
      if (leadId !== undefined)
        journal.posted.push({ email, state: 'accepted', leadId, tries: 1, again: undefined });
    }
    // Whoever opens the file again, as after the browser was closed, has the same answers.
    const again = await importAll(false, AGAIN_EVERY);
    const first = results.filter((_, at) => Math.floor(at / ROWS_A_CALL) % AGAIN_EVERY === 0);
    if (JSON.stringify(again) !== JSON.stringify(first))
      journal.violation('the same file was answered otherwise the second time');

    const table = new Table({ name: TABLE_NAME, endpoint: product.endpoint });
    const stored = await letEnd([product], [admin], table, journal);
    const { broken, twice } = await findingsOn(
      table,
      stored,
      journal,
      { ...outside, pushes: undefined },
      templates,
    );
    const accepted = journal.posted.length;
    const { sources } = await admin.ok('getSourceStats', { query: { time_range: 7 } });
    const [figures] = sources;
    if (figures?.accepted !== accepted || figures.duplicate !== 0)
      broken.push(`${accepted} rows were accepted, the figures of the source say ${figures?.accepted}`);
    const [source] = await admin.ok('listSources');
    const counted = source?.total ?? 0;
    if (counted < accepted) broken.push(`${accepted} rows were accepted, the source counts ${counted}`);
    const statuses = (status: string) => stored.leads.filter((lead) => lead.status === status).length;
    return {
      name: 'imports',
      figures: {
        'rows of the file, of them invalid': `${rows.length}, ${rows.length - accepted}`,
        'kills while it was imported': journal.kills.length,
        'calls cut off by a kill, repeated': journal.counts.open,
        'seconds of the import': Number(seconds.toFixed(0)),
        'leads stored': stored.leads.length,
        'leads assigned, pending': `${statuses('assigned')}, ${statuses('pending')}`,
        'deliveries delivered': stored.deliveries.filter(({ status }) => status === 'delivered').length,
        'things that arrived twice, each after a kill': twice,
        'leads counted against the limits beyond those stored': counted - accepted,
      },
      broken,
    };
  } finally {
    product.signal('SIGKILL');
    await product.ended();
    await outside.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}
