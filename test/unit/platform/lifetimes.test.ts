/**
 * How long temporary state is valid, tested just before and at its end. Tested elsewhere: admin credentials
 * (`administration/access-ends` and `admins`), admins' browsers (`http/device-cookie`), link codes (`orders/link-access`)
 * and the admin build's files (`http/site-gate`).
 */

import { describe, expect, it } from 'vitest';
import * as intakeKeyStore from '#functions/data/leads/idempotency-key-store';
import { linkCookie, linkVisitor } from '#functions/http/link-cookie';
import { readCookies } from '#functions/http/session-cookie';
import { createOnlineChecks } from '#functions/verification/online';
import { aBuyer } from '#test/factories/buyers';
import { aPerson } from '#test/factories/people';
import { quietRuntime } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const START = Date.parse('2026-11-20T10:00:00.000Z');
const DAY = 24 * 60 * 60;
const KEY = new Uint8Array(32).fill(7);
const SITE = 'https://leads.example';

function clock() {
  let ms = START;
  return {
    runtime: { ...quietRuntime, now: () => new Date(ms) },
    later: (seconds: number) => void (ms = START + seconds * 1000),
  };
}
type Clock = ReturnType<typeof clock>;

const cookiesOf = (header: string) => readCookies([header.split(';')[0] ?? '']);
const lead = (lead_id: string, now: Date) => ({ lead_id, fingerprint: '', taken_at: now.toISOString() });

/** Creates the state, and returns a check of its validity. */
const LIFETIMES: readonly (readonly [string, number, (at: Clock) => Promise<() => Promise<boolean>>])[] = [
  [
    'a device with a confirmed link code',
    180 * DAY,
    async ({ runtime }) => {
      const buyer = aBuyer({ buyer_email: 'anna@example.org' });
      const made = { id: 'device', baseUrl: SITE, now: runtime.now() };
      const cookies = cookiesOf(await linkCookie(KEY, buyer, made));
      const keys = async () => ({ link: KEY }) as never;
      return () => linkVisitor(keys, { cookies, who: undefined }, runtime.now()).knows(buyer);
    },
  ],
  [
    'the idempotency key of a posted lead',
    DAY,
    async ({ runtime }) => {
      const table = memoryTable();
      await intakeKeyStore.take({ table }, 'key', lead('first', runtime.now()));
      return async () =>
        (await intakeKeyStore.take({ table }, 'key', lead('second', runtime.now()))).lead_id === 'first';
    },
  ],
  [
    'the provider result for an e-mail address',
    DAY,
    async ({ runtime }) => {
      const person = aPerson();
      let asked = 0;
      const http = async () => {
        asked += 1;
        return { status: 200, headers: {}, body: Buffer.from('{"status":"valid"}') };
      };
      const { email } = createOnlineChecks({
        environment: { ZEROBOUNCE_API_URL: SITE, ZEROBOUNCE_API_KEY: 'key' } as never,
        runtime: { ...runtime, externalServices: { http } } as never,
        table: memoryTable(),
      });
      await email?.(person);
      return async () => {
        asked = 0;
        expect(await email?.(person)).toMatchObject({ status: 'valid' });
        return asked === 0;
      };
    },
  ],
];

describe('is valid for exactly this long', () => {
  it.each(LIFETIMES)('%s: %i seconds', async (_what, seconds, begin) => {
    const before = clock();
    const stillCounts = await begin(before);
    before.later(seconds - 1);
    expect(await stillCounts()).toBe(true);
    const after = clock();
    const counts = await begin(after);
    after.later(seconds);
    expect(await counts()).toBe(false);
  });
});
