import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Connection } from '#frontend/app/connection';

beforeEach(() => void vi.useFakeTimers({ now: new Date('2027-03-01T13:05:00Z') }));
afterEach(() => void vi.useRealTimers());

/** A server that can be stopped, the times in seconds at which it was checked, and how often listeners were called. */
function server() {
  const start = Date.now();
  const seen = { isUp: false, checks: [] as number[], changes: 0 };
  const connection = new Connection(() => {
    seen.checks.push((Date.now() - start) / 1000);
    return Promise.resolve(seen.isUp);
  });
  connection.subscribe(() => {
    seen.changes += 1;
  });
  return { connection, seen };
}

it('one lost call is no outage if the server answers a check', async () => {
  const { connection, seen } = server();
  seen.isUp = true;
  connection.unanswered();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(connection.downSince()).toBeUndefined();
  expect(seen.checks).toEqual([0]);
});

it('an outage begins with the first lost call and is reported once', async () => {
  const { connection, seen } = server();
  connection.unanswered();
  await vi.advanceTimersByTimeAsync(500);
  connection.unanswered();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(connection.downSince()).toEqual(new Date('2027-03-01T13:05:00Z'));
  expect(seen.changes).toBe(1);
});

it('checks are repeated after 1, 2, 4, 8 and 16 seconds, and then every 30 seconds', async () => {
  const { connection, seen } = server();
  connection.unanswered();
  await vi.advanceTimersByTimeAsync(125_000);
  expect(seen.checks).toEqual([0, 1, 3, 7, 15, 31, 61, 91, 121]);
});

it('ends with a successful check, and the next outage has the first pauses again', async () => {
  const { connection, seen } = server();
  connection.unanswered();
  await vi.advanceTimersByTimeAsync(4000);
  seen.isUp = true;
  await vi.advanceTimersByTimeAsync(3000);
  expect(connection.downSince()).toBeUndefined();
  await vi.advanceTimersByTimeAsync(100_000);
  expect(seen.checks).toEqual([0, 1, 3, 7]);
  seen.isUp = false;
  connection.unanswered();
  await vi.advanceTimersByTimeAsync(1000);
  expect(seen.checks.slice(4)).toEqual([107, 108]);
  expect(connection.downSince()).toEqual(new Date('2027-03-01T13:06:47Z'));
});

it('ends with the answer to any call', async () => {
  const { connection, seen } = server();
  connection.unanswered();
  await vi.advanceTimersByTimeAsync(2000);
  let isAnswering = false;
  void connection.answering().then(() => (isAnswering = true));
  await vi.advanceTimersByTimeAsync(0);
  expect(isAnswering).toBe(false);
  connection.answered();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(connection.downSince()).toBeUndefined();
  expect(isAnswering).toBe(true);
  expect(seen).toMatchObject({ checks: [0, 1], changes: 2 });
});

it('can be checked before the pause is over', async () => {
  const { connection, seen } = server();
  connection.unanswered();
  await vi.advanceTimersByTimeAsync(8000);
  seen.isUp = true;
  await connection.check();
  expect(connection.downSince()).toBeUndefined();
  expect(seen.checks).toEqual([0, 1, 3, 7, 8]);
});

it('an answer during a failing check is not overruled by it', async () => {
  let fail = () => {};
  const connection = new Connection(
    () =>
      new Promise((resolve) => {
        fail = () => resolve(false);
      }),
  );
  connection.unanswered();
  connection.answered();
  fail();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(connection.downSince()).toBeUndefined();
});
