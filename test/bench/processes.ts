/** The product in many processes on one table. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import * as z from 'zod/mini';
import type { Table } from '#functions/data/table/table';
import type { DistributeMessage } from '#functions/queues/messages';
import { bundledProgram } from '#test/harness/bundled-program';
import type { TestEngine } from '#test/harness/engine';

const answerSchema = z.object({ buyerId: z.string(), conflicts: z.int() });

export interface Processes {
  /**
   * Has one process ingest a lead; each process handles one at a time.
   * @returns the buyer of the lead
   */
  lead(process: number): Promise<string>;
  /** Has one process distribute a batch; each process handles one at a time. */
  batch(process: number, message: DistributeMessage): Promise<void>;
  /** Ledger conflicts in all processes so far. */
  conflicts(): number;
  stop(): Promise<void>;
}

/** Starts them from one bundle, because loading the sources in each process would take longer than the measurement. */
export async function startProcesses(engine: TestEngine, table: Table, count: number): Promise<Processes> {
  const entry = await bundledProgram('test/bench/process-worker.ts');
  const children: ChildProcess[] = [];
  const conflicts = new Map<number, number>();
  const start = async () => {
    const child = fork(entry, {
      execArgv: [],
      env: { ...process.env, TABLE_NAME: table.name, DYNAMODB_ENDPOINT: engine.endpoint },
    });
    children.push(child);
    await next(child);
  };
  // A few at a time, because all at once would only wait for each other.
  for (let started = 0; started < count; started += 4)
    await Promise.all(Array.from({ length: Math.min(4, count - started) }, start));
  const ask = async (at: number, message: object): Promise<string> => {
    const child = children[at];
    if (child === undefined) throw new RangeError(`Process ${at} does not exist`);
    const answer = next(child);
    child.send(message);
    const { buyerId, conflicts: its } = answerSchema.parse(await answer);
    conflicts.set(at, its);
    return buyerId;
  };
  return {
    lead: (at) => ask(at, {}),
    async batch(at, message) {
      await ask(at, message);
    },
    conflicts: () => [...conflicts.values()].reduce((sum, its) => sum + its, 0),
    async stop() {
      await Promise.all(
        children.map(async (child) => {
          if (child.exitCode !== null) return;
          const ended = once(child, 'exit');
          child.disconnect();
          await ended;
        }),
      );
    },
  };
}

/**
 * @returns its next message
 * @throws Error if it ends instead
 */
async function next(child: ChildProcess): Promise<unknown> {
  const over = new AbortController();
  const { signal } = over;
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]: unknown[]) => message),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`A process of the benchmark ended with ${String(code)}`);
      }),
    ]);
  } finally {
    over.abort();
  }
}
