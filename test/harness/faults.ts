/** Faults between a process and DynamoDB, injected below the SDK's retries to test them too. */
import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Table } from '#functions/data/table/table';
import { atEndpoint } from '#functions/platform/sdk-client';
import { modelOf } from '#test/harness/memory-table';
import type { Input } from '#test/simulation/table-model';

/** The probability of each fault, per request. */
interface FaultRates {
  /** The write takes effect and the connection breaks before the answer; the SDK repeats it and gets an answer. */
  readonly lostAnswer?: number;
  /** The same, but the SDK gives up, so the outcome stays unknown. */
  readonly lostForGood?: number;
  readonly throttle?: number;
  /** The write is rejected because another transaction is changing the item. */
  readonly conflict?: number;
  readonly slow?: number;
}

interface Faults {
  readonly injected: Record<keyof FaultRates, number>;
  /** Resolves when no request is in progress. */
  quiet(): Promise<void>;
}

const SLOW_MS = 60;
/** After more consecutive lost answers the SDK would give up. */
const MAX_LOST_ANSWERS_PER_CALL = 3;
const WRITES = /^(Put|Update|Delete|TransactWrite)/;

const fault = (name: string, more: object = {}) =>
  Object.assign(new Error(`${name} (injected)`), { name, $fault: 'client', $metadata: {}, ...more });

/** @param random in [0, 1), decides which faults happen */
function chances(rates: FaultRates, random: () => number) {
  const injected = { lostAnswer: 0, lostForGood: 0, throttle: 0, conflict: 0, slow: 0 };
  const happens = (kind: keyof FaultRates) => {
    if (random() >= (rates[kind] ?? 0)) return false;
    injected[kind] += 1;
    return true;
  };
  return { injected, happens };
}

const conflictOf = (command: string) =>
  command.startsWith('Transact')
    ? fault('TransactionCanceledException', { CancellationReasons: [{ Code: 'TransactionConflict' }] })
    : fault('TransactionConflictException');

function injectFaults(client: DynamoDBClient, rates: FaultRates, random: () => number): Faults {
  const { injected, happens } = chances(rates, random);
  const underWay = new Set<Promise<unknown>>();
  const lostOf = new WeakMap<object, number>();
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const command = String(context.commandName);
      const writes = WRITES.test(command);
      if (happens('throttle'))
        throw fault('ProvisionedThroughputExceededException', { $retryable: { throttling: true } });
      if (writes && happens('conflict')) throw conflictOf(command);
      if (happens('slow')) await wait(random() * SLOW_MS);
      const call = next(args);
      underWay.add(call);
      const result = await call.finally(() => underWay.delete(call));
      if (writes && happens('lostForGood')) {
        discard(result.response);
        throw fault('NobodyKnows');
      }
      const lost = lostOf.get(context) ?? 0;
      if (writes && lost < MAX_LOST_ANSWERS_PER_CALL && happens('lostAnswer')) {
        lostOf.set(context, lost + 1);
        discard(result.response);
        throw fault('Error', { code: 'ECONNRESET' });
      }
      return result;
    },
    { step: 'deserialize', priority: 'low', name: 'faults' },
  );
  return {
    injected,
    async quiet() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}

/** The same on an in-memory table, including the SDK's retries. */
function inMemory(table: Table, rates: FaultRates, random: () => number): { table: Table; faults: Faults } {
  const { injected, happens } = chances(rates, random);
  const send = async (command: { readonly input: Input }) => {
    const { name } = command.constructor;
    const writes = WRITES.test(name);
    for (let lost = 0; ; ) {
      if (happens('throttle')) continue;
      if (writes && happens('conflict')) throw conflictOf(name);
      if (happens('slow')) await wait(1);
      const result = modelOf(table).send(name, command.input);
      if (writes && happens('lostForGood')) throw fault('NobodyKnows');
      if (!writes || lost >= MAX_LOST_ANSWERS_PER_CALL || !happens('lostAnswer')) return result;
      lost += 1;
      await wait(0);
    }
  };
  return {
    faults: { injected, quiet: async () => undefined },
    table: new Table({ name: table.name, documents: { send } as never }),
  };
}

/** Connections with faults to a table; `close` ends them all. */
export class FaultyConnections {
  readonly #clients: DynamoDBClient[] = [];

  /** @param endpoint of the engine; undefined for tables in memory */
  constructor(private readonly endpoint: string | undefined) {}

  to(table: Table, rates: FaultRates, random: () => number = Math.random): { table: Table; faults: Faults } {
    if (this.endpoint === undefined) return inMemory(table, rates, random);
    const client = new DynamoDBClient({ ...atEndpoint(this.endpoint), maxAttempts: 5 });
    this.#clients.push(client);
    return { faults: injectFaults(client, rates, random), table: new Table({ name: table.name, client }) };
  }

  /** Every write takes effect, its answer is lost, and the SDK repeats it. */
  losingEveryAnswerOnce(table: Table): { table: Table; faults: Faults } {
    let turn = 0;
    return this.to(table, { lostAnswer: 0.5 }, () => {
      turn += 1;
      return turn % 2 === 0 ? 0.9 : 0.1;
    });
  }

  close(): void {
    for (const client of this.#clients) client.destroy();
  }
}

/** An unread answer would keep its connection open. */
function discard(response: unknown): void {
  const { body } = response as { body?: { resume?: () => void } };
  body?.resume?.();
}
