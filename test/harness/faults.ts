/** What goes wrong between a process and DynamoDB, injected below the SDK's own retries so that those are exercised. */
import { setTimeout as wait } from 'node:timers/promises';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** The probability of each, per request. */
export interface FaultRates {
  /** The write takes effect and the connection breaks before the answer: the SDK tries again, and gets one in the end. */
  readonly lostAnswer?: number;
  /** The same, but the SDK gives up: nobody will ever know. */
  readonly lostForGood?: number;
  readonly throttle?: number;
  /** Another transaction holds the item. */
  readonly conflict?: number;
  readonly slow?: number;
}

export interface Faults {
  readonly injected: Record<keyof FaultRates, number>;
  /** Resolves when no request is under way any more. */
  quiet(): Promise<void>;
}

const SLOW_MS = 60;
/** Answers of one call that are lost; more in a row would have the SDK give up. */
const LOST_OF_A_CALL = 3;
const WRITES = /^(Put|Update|Delete|TransactWrite)/;

const fault = (name: string, more: object = {}) =>
  Object.assign(new Error(`${name} (injected)`), { name, $fault: 'client', $metadata: {}, ...more });

/** @param random in [0, 1), for which faults happen when */
export function injectFaults(client: DynamoDBClient, rates: FaultRates, random: () => number): Faults {
  const injected = { lostAnswer: 0, lostForGood: 0, throttle: 0, conflict: 0, slow: 0 };
  const underWay = new Set<Promise<unknown>>();
  const lostOf = new WeakMap<object, number>();
  const happens = (kind: keyof FaultRates) => {
    if (random() >= (rates[kind] ?? 0)) return false;
    injected[kind] += 1;
    return true;
  };
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const command = String(context.commandName);
      const writes = WRITES.test(command);
      if (happens('throttle'))
        throw fault('ProvisionedThroughputExceededException', { $retryable: { throttling: true } });
      if (writes && happens('conflict'))
        throw command.startsWith('Transact')
          ? fault('TransactionCanceledException', { CancellationReasons: [{ Code: 'TransactionConflict' }] })
          : fault('TransactionConflictException');
      if (happens('slow')) await wait(random() * SLOW_MS);
      const call = next(args);
      underWay.add(call);
      const result = await call.finally(() => underWay.delete(call));
      if (writes && happens('lostForGood')) {
        discard(result.response);
        throw fault('NobodyKnows');
      }
      const lost = lostOf.get(context) ?? 0;
      if (writes && lost < LOST_OF_A_CALL && happens('lostAnswer')) {
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

/** An answer that nobody reads would hold its connection. */
function discard(response: unknown): void {
  const { body } = response as { body?: { resume?: () => void } };
  body?.resume?.();
}
