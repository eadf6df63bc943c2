/** `npm run leads` */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { ApiClient, CallFailed } from '#local/api-client';
import { readAccount } from '#local/first-admin';
import { findRunning } from '#local/running';
import { StartError, systemCode } from '#local/start-error';
import { atLeastOne, command, fail, run } from '#scripts/command';
import { withProgress } from '#scripts/progress';
import type { Answer, Sent } from '#shared/contract/schemas';
import type { PendingReason } from '#shared/rules/constants';
import { pendingReasonText } from '#shared/rules/reasons';

type NewLead = Sent<'createLead', 'body'>;
type BuyerStats = Answer<'getBuyerStats'>['buyer_stats'];

const MAX_ATTEMPTS = 6;
/** The first attempt of a repeated request is still running. */
const UNDER_WAY: ReadonlySet<string | undefined> = new Set(['request_under_way', 'taken_over']);
/** The statistics lag behind, in the cloud a little longer. */
const MAX_STATISTICS_WAIT_MS = 30_000;
const STATISTICS_CHECK_EVERY_MS = 250;
const MAX_FAILURES_SHOWN = 10;
/** The API's shortest range. */
const RANGE_DAYS = 7;

interface Tally {
  readonly assigned: Map<string, number>;
  readonly pending: Map<PendingReason, number>;
  readonly failures: { readonly line: number; readonly error: string }[];
}

await run(
  command(
    'leads',
    'Posts the leads of a file to a running system. Prints how many each buyer received, how many its weight entitles it to, ' +
      'and why leads are pending. Exits with 1 if a lead was not accepted.',
  )
    .argument('<file>', 'one JSON object per line')
    .option('--concurrency <count>', 'leads posted at the same time', atLeastOne, 16)
    .option(
      '--url <address>',
      'of the running system; by default the one of DATA_DIR (.data) on this machine',
    )
    .addHelpText(
      'after',
      `
The login:
  ADMIN_USERNAME, ADMIN_PASSWORD   by default the account that the first start created on this machine`,
    )
    .action(postFile),
);

async function postFile(
  file: string,
  { url, concurrency }: { readonly url?: string | undefined; readonly concurrency: number },
): Promise<void> {
  const api = new ApiClient(url?.replace(/\/+$/, '') ?? localUrl(), 'lead-distribution-leads');
  await logIn(api);
  const { leads, unreadable } = await readLeads(file);
  const before = await statistics(api);

  const tally: Tally = { assigned: new Map(), pending: new Map(), failures: [...unreadable] };
  const started = Date.now();
  await post(api, leads, concurrency, tally);
  const seconds = (Date.now() - started) / 1000;

  const assigned = total(tally.assigned);
  const after = await statisticsOf(api, before, assigned);
  report(leads.length, seconds, tally, before, after);
  if (tally.failures.length > 0) fail();
}

function localUrl(): string {
  return findRunning(dataDir())?.url ?? `http://localhost:${process.env.PORT ?? '3000'}`;
}

function dataDir(): string {
  return process.env.DATA_DIR ?? '.data';
}

async function logIn(api: ApiClient): Promise<void> {
  const { ADMIN_USERNAME: username = 'admin', ADMIN_PASSWORD: password } = process.env;
  const account = password === undefined ? readAccount(dataDir()) : { username, password };
  if (account === null) throw new StartError('Set ADMIN_USERNAME and ADMIN_PASSWORD to log in.');
  try {
    await api.logIn(account);
  } catch (error) {
    if (error instanceof CallFailed) throw new StartError(`Log in as ${account.username}: ${error.message}`);
    throw new StartError(
      `No response from ${api.url}: start it with "npm start", or pass its address with --url.`,
    );
  }
}

async function readLeads(file: string): Promise<{
  leads: { readonly line: number; readonly lead: NewLead }[];
  unreadable: { readonly line: number; readonly error: string }[];
}> {
  const leads: { line: number; lead: NewLead }[] = [];
  const unreadable: { line: number; error: string }[] = [];
  let line = 0;
  try {
    for await (const text of createInterface({
      input: createReadStream(file),
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      line += 1;
      if (text.trim() === '') continue;
      try {
        // The system decides whether it is a lead.
        leads.push({ line, lead: JSON.parse(text) });
      } catch {
        unreadable.push({ line, error: 'not JSON' });
      }
    }
  } catch (error) {
    throw new StartError(`${file} cannot be read (${systemCode(error) ?? 'unknown error'}).`);
  }
  return { leads, unreadable };
}

async function post(
  api: ApiClient,
  leads: readonly { readonly line: number; readonly lead: NewLead }[],
  concurrency: number,
  tally: Tally,
): Promise<void> {
  const run = randomUUID();
  let next = 0;
  await withProgress('leads', leads.length, async (advance) => {
    const worker = async () => {
      for (let at = next++; at < leads.length; at = next++) {
        const entry = leads[at];
        if (entry !== undefined) await postOne(api, entry, run, tally);
        advance(1, `${total(tally.assigned)} assigned, ${total(tally.pending)} pending`);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
  });
}

/** Posting again is safe because of the idempotency key. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof CallFailed)) return true;
  return error.status === 429 || error.status >= 500 || UNDER_WAY.has(error.code);
}

async function postOne(
  api: ApiClient,
  { line, lead }: { readonly line: number; readonly lead: NewLead },
  run: string,
  tally: Tally,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await api.ok('createLead', { body: lead }, { 'idempotency-key': `${run}-${line}` });
      if (answer.status === 'assigned') count(tally.assigned, answer.buyer ?? '?');
      else count(tally.pending, answer.reason ?? 'no_active_order');
      return;
    } catch (error) {
      if (!isPassing(error) || attempt >= MAX_ATTEMPTS) {
        tally.failures.push({ line, error: error instanceof Error ? error.message : String(error) });
        return;
      }
      const seconds = error instanceof CallFailed ? error.retryAfterSeconds : undefined;
      await wait((seconds ?? 2 ** (attempt - 1)) * 1000);
    }
  }
}

async function statistics(api: ApiClient): Promise<BuyerStats> {
  return (await api.ok('getBuyerStats', { query: { time_range: RANGE_DAYS } })).buyer_stats;
}

/** Waits for the statistics, but not forever. */
async function statisticsOf(api: ApiClient, before: BuyerStats, assigned: number): Promise<BuyerStats> {
  const leadsIn = (rows: BuyerStats) => rows.reduce((sum, row) => sum + row.share_got, 0);
  const deadline = Date.now() + MAX_STATISTICS_WAIT_MS;
  let rows = await statistics(api);
  while (leadsIn(rows) - leadsIn(before) < assigned && Date.now() < deadline) {
    await wait(STATISTICS_CHECK_EVERY_MS);
    rows = await statistics(api);
  }
  return rows;
}

function report(posted: number, seconds: number, tally: Tally, before: BuyerStats, after: BuyerStats): void {
  console.log(
    `\n${posted} leads in ${seconds.toFixed(1)} s (${(posted / Math.max(seconds, 0.001)).toFixed(0)}/s)\n`,
  );
  const rows = after.map((row) => {
    const earlier = before.find(({ buyer_id }) => buyer_id === row.buyer_id);
    return {
      buyer: row.buyer_id,
      delivered: tally.assigned.get(row.buyer_id) ?? 0,
      wanted: row.share_wanted - (earlier?.share_wanted ?? 0),
      got: row.share_got - (earlier?.share_got ?? 0),
    };
  });
  const assigned = Math.max(1, total(tally.assigned));
  const table = [
    ['Buyer', 'Delivered', 'Target share', 'Actual share', 'Difference'],
    ...rows
      .filter(({ delivered, wanted }) => delivered > 0 || wanted > 0)
      .toSorted((one, other) => other.delivered - one.delivered)
      .map(({ buyer, delivered, wanted, got }) => [
        buyer,
        String(delivered),
        percent(wanted / assigned),
        percent(got / assigned),
        (got - wanted).toFixed(1),
      ]),
    ['Sum', String(total(tally.assigned)), '', '', ''],
  ];
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...table.map((cells) => cells[column]?.length ?? 0)),
  );
  for (const cells of table)
    console.log(
      cells
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    );

  console.log(`\n${total(tally.pending)} pending`);
  for (const [reason, leads] of tally.pending) console.log(`  ${leads}  ${pendingReasonText(reason)}`);
  if (tally.failures.length === 0) return;
  console.log(`\n${tally.failures.length} not accepted`);
  for (const { line, error } of tally.failures.slice(0, MAX_FAILURES_SHOWN))
    console.log(`  line ${line}: ${error}`);
  if (tally.failures.length > MAX_FAILURES_SHOWN) console.log('  …');
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function total(counts: ReadonlyMap<unknown, number>): number {
  let sum = 0;
  for (const value of counts.values()) sum += value;
  return sum;
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)} %`;
}
