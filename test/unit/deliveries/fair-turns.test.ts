/** A buyer's only delivery waits behind at most one delivery of each other buyer. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createLogger } from '#functions/platform/logger';
import { createDeliverQueue } from '#functions/queues/sqs';
import { RoundRobin } from '#local/round-robin';
import { aDeliverMessage } from '#test/factories/deliveries';

it('a buyer’s n-th delivery waits behind at most n of each other buyer', () => {
  const buyers = fc.constantFrom('1', '2', '3', '4');
  const step = fc.oneof(
    { weight: 3, arbitrary: buyers },
    { weight: 1, arbitrary: fc.constant('take' as const) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const list = new RoundRobin<{ buyer: string; at: number }>();
      const waiting: { buyer: string; at: number; ownBefore: number; passedBy: Map<string, number> }[] = [];
      let taken = 0;
      const take = () => {
        const next = list.take();
        if (next === undefined) return expect(waiting).toEqual([]);
        const index = waiting.findIndex(({ at }) => at === next.at);
        const [served] = waiting.splice(index, 1);
        expect(served!.buyer).toBe(next.buyer);
        // Deliveries of one buyer stay in order.
        expect(waiting.some(({ buyer, at }) => buyer === next.buyer && at < next.at)).toBe(false);
        for (const times of served!.passedBy.values())
          expect(times).toBeLessThanOrEqual(served!.ownBefore + 1);
        for (const one of waiting)
          if (one.buyer !== next.buyer) one.passedBy.set(next.buyer, (one.passedBy.get(next.buyer) ?? 0) + 1);
        return (taken += 1);
      };
      let added = 0;
      for (const step of steps) {
        if (step === 'take') {
          take();
          continue;
        }
        added += 1;
        const ownBefore = waiting.filter(({ buyer }) => buyer === step).length;
        waiting.push({ buyer: step, at: added, ownBefore, passedBy: new Map() });
        list.add(step, { buyer: step, at: added });
      }
      while (list.size > 0) take();
      expect([taken, waiting]).toEqual([added, []]);
    }),
  );
});

it('delivery messages use their buyer as the message group of a fair queue', async () => {
  const sent: unknown[] = [];
  const client = {
    send: async (command: { input: unknown }) => {
      sent.push(command.input);
      return { Successful: [{ Id: '0' }] };
    },
  };
  const queue = createDeliverQueue(
    client as never,
    'url',
    createLogger(() => undefined),
  );
  expect(await queue.send([{ message: aDeliverMessage({ buyer: 7 }) }])).toEqual([true]);
  expect(sent).toMatchObject([{ Entries: [{ MessageGroupId: '7' }] }]);
});
