/** Deliveries whatever the order of their workers' calls, with workers that die and messages that are lost or repeated. */

import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { ChannelAdapter, Outcome } from '#functions/channels/channel';
import * as deliveryStore from '#functions/data/deliveries/delivery-store';
import { createDestinationLeases } from '#functions/data/deliveries/destination-leases';
import { deliverySchema } from '#functions/data/leads/lead';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { type DeliverContext, deliver } from '#functions/domain/deliveries/deliveries';
import { requeueOverdueDeliveries } from '#functions/domain/deliveries/requeue';
import type { DeliverMessage } from '#functions/queues/messages';
import { createConcurrencyLimiter } from '#functions/workers/deliver/concurrency-limiter';
import { aDelivery, aReport } from '#test/factories/deliveries';
import { deliverDepsOn, putDelivery, runtimeAt } from '#test/harness/deliveries';
import { Killed } from '#test/harness/distribution';
import { modelTable } from '#test/simulation/model-table';

const MINUTE = 60_000;
const START = new Date('2026-11-20T10:00:00.000Z').getTime();
const IDS = ['01J00000000000000000000A01', '01J00000000000000000000A02'];

let table: Table;
beforeAll(() => {
  table = modelTable([]);
});

const stored = async (id: string) => deliverySchema.parse(await table.get(keys.delivery(id, 'email')));

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('work' as const),
      pick: fc.nat(20),
      dies: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined, freq: 4 }),
      lose: fc.boolean(),
      twice: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
      outcome: fc.constantFrom<Outcome>('delivered', 'transient', 'permanent', 'unknown'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('again' as const), pick: fc.nat(1) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(1, 2, 3, 7) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reconcile' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('repeat' as const), pick: fc.nat(20) }) },
);

it('ends every delivery, reports failed ones, and sends each once unless a worker crashes', () =>
  fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 4 }),
      async (scheduler, actors) => {
        let clock = START;
        let turn = 0;
        const messages: DeliverMessage[] = [];
        const dead: DeliverMessage[] = [];
        const arrived = new Map<string, number>();
        let uncertain = false;
        await table.delete({ delete: keys.circuit(7, 'email') });
        await table.delete({ delete: keys.dedupMarker('failed#7#email') });
        for (let place = 0; place < 8; place += 1)
          await table.delete({ delete: keys.destinationLease('email:127.0.0.1', place) });
        for (const lead_id of IDS) {
          await putDelivery(table, aDelivery({ lead_id }));
          messages.push({ lead_id, channel: 'email', series: 1, attempt_count: 0 });
        }
        const runtime = {
          ...runtimeAt(
            () => new Date((clock += 1)),
            (milliseconds) => {
              clock += milliseconds;
            },
          ),
          random: () => ((turn += 1) * 0.37) % 1,
        };
        const depsOn = (on: Table, outcome: Outcome): DeliverContext => {
          const send = async (to: DeliverMessage[], all: readonly { message: DeliverMessage }[]) => {
            to.push(...all.map(({ message }) => message));
            return all.map(() => true);
          };
          const adapter: ChannelAdapter = {
            send: async ({ lead_id }) => {
              if (outcome === 'delivered') arrived.set(lead_id, (arrived.get(lead_id) ?? 0) + 1);
              if (outcome === 'unknown') uncertain = true;
              return aReport({ outcome, error: outcome === 'delivered' ? null : outcome });
            },
          };
          return deliverDepsOn(on, adapter, {
            queue: { send: (all) => send(messages, all) },
            deadLetters: { send: (all) => send(dead, all) },
            notifyOperator: async () => undefined,
            limiter: createConcurrencyLimiter(createDestinationLeases(on), runtime),
            runtime,
          });
        };
        const over = (dies: number | undefined, twice?: number): Table => {
          let calls = 0;
          return new Proxy(table, {
            get(target, name) {
              const value: unknown = Reflect.get(target, name, target);
              if (typeof value !== 'function') return value;
              const call = scheduler.scheduleFunction(
                (...args: unknown[]) => value.apply(target, args) as Promise<unknown>,
              );
              return async (...args: unknown[]) => {
                calls += 1;
                if (dies !== undefined && calls > dies) throw new Killed();
                if (calls === twice && ['update', 'put', 'delete'].includes(String(name)))
                  await call(...args);
                const result = await call(...args);
                if (dies !== undefined && calls >= dies) throw new Killed();
                return result;
              };
            },
          });
        };
        const work = actors.map(async (steps) => {
          for (const it of steps) {
            if (it.do === 'wait') clock += it.minutes * MINUTE;
            if (it.do === 'again') {
              uncertain = true;
              const { ok } = await deliveryStore.sendAgain(
                { table: over(undefined, 2) },
                IDS[it.pick]!,
                'email',
                runtime.now(),
              );
              if (ok) {
                const { series: round } = await stored(IDS[it.pick]!);
                messages.push({ lead_id: IDS[it.pick]!, channel: 'email', series: round, attempt_count: 0 });
              }
            }
            if (it.do === 'reconcile') await requeueOverdueDeliveries(depsOn(over(undefined), 'delivered'));
            if (it.do === 'repeat' && messages.length > 0)
              messages.push(messages[it.pick % messages.length]!);
            if (it.do === 'work' && messages.length > 0) {
              const [message] = messages.splice(it.pick % messages.length, 1);
              if (message === undefined) continue;
              try {
                await deliver(depsOn(over(it.dies, it.twice), it.outcome), message);
              } catch (error) {
                if (!(error instanceof Killed)) throw error;
                uncertain = true;
                if (!it.lose) messages.push(message);
              }
            }
          }
        });
        await scheduler.waitFor(Promise.all(work));
        // Calm again: the reconciliation and workers that live bring everything to its end.
        const deps = depsOn(table, 'delivered');
        for (let round = 0; round < 40; round += 1) {
          clock += 10 * MINUTE;
          await requeueOverdueDeliveries(deps);
          for (const message of messages.splice(0)) await deliver(deps, message);
          if (
            (await Promise.all(IDS.map(stored))).every(
              ({ status, unreported }) =>
                status === 'delivered' || (status === 'failed' && unreported !== true),
            )
          )
            break;
        }
        for (const message of messages.splice(0)) await deliver(deps, message);
        for (const id of IDS) {
          const end = await stored(id);
          expect(['delivered', 'failed']).toContain(end.status);
          expect(end.sending_until).toBeUndefined();
          expect(end.attempts.filter(({ outcome }) => outcome !== 'skipped').length).toBeGreaterThan(0);
          const item = await table.get(keys.delivery(id, 'email'));
          expect(item?.gsi2pk).toBe(end.status === 'failed' ? 'DELIVERY#failed' : undefined);
          expect(end.unreported).toBeUndefined();
          if (end.status === 'failed')
            expect(dead.filter(({ lead_id }) => lead_id === id).length).toBeGreaterThan(0);
          if (end.status === 'delivered') expect(arrived.get(id) ?? 0).toBeGreaterThan(0);
          if (!uncertain) expect(arrived.get(id) ?? 0).toBeLessThanOrEqual(1);
        }
      },
    ),
    { numRuns: 60, endOnFailure: true },
  ));
