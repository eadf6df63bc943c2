/** How the verification checks of a person decide about a lead, and which results are stored. */

import { describe, expect, it } from 'vitest';
import * as verificationResultStore from '#functions/data/distribution/verification-result-store';
import { keys } from '#functions/data/table/keys';
import { verify } from '#functions/domain/distribution/verification';
import type { Checks } from '#functions/verification/verification';
import { aPerson } from '#test/factories/people';
import { PASSING_CHECKS } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const ALL = { email_verification: true, phone_verification: true, name_verification: true };
const answering = (status: 'valid' | 'invalid' | 'unknown', note: string | null) => async () => ({
  status,
  note,
});
const CAME = '2026-11-20T10:00:00.000Z';
const verified = (checks: Partial<Checks>, mustBeCertain = false, switches = ALL, at = new Date(CAME)) =>
  verify({ ...PASSING_CHECKS, ...checks }, switches, { ...aPerson(), received_at: CAME }, mustBeCertain, at);

describe('the verification of a lead', () => {
  it('returns the first failed check and the notes of all checks', async () => {
    expect(await verified({})).toEqual({ reason: undefined, notes: [], checks: 'eovpovnov' });
    const checks = {
      email: answering('unknown', 'no answer'),
      phone: answering('invalid', 'no such number'),
      name: answering('invalid', 'no name'),
    };
    const notes = ['no answer', 'no such number', 'no name'];
    const failed = { reason: 'phone_verification_failed', notes, checks: 'eoupoinoi' };
    expect(await verified(checks)).toEqual(failed);
    expect(await verified(checks, true)).toEqual(failed);
    const dead = { status: 'invalid', note: 'gone', dead: true, by: 'ZeroBounce' } as const;
    const later = new Date('2026-11-20T10:01:40.000Z');
    const late = await verified({ email: async () => dead }, false, ALL, later);
    expect(late.checks).toBe('ezdpovnov@2s');
  });

  it('holds an uncertain lead only if certainty is required', async () => {
    const checks = { name: answering('unknown', 'no answer') };
    expect(await verified(checks)).toMatchObject({ reason: undefined, notes: ['no answer'] });
    expect(await verified(checks, true)).toMatchObject({ reason: 'verification_unavailable' });
    expect(await verified({}, true)).toMatchObject({ reason: undefined });
  });

  it('runs only the enabled checks', async () => {
    const no = answering('invalid', 'no');
    const switches = { ...ALL, email_verification: false, name_verification: false };
    expect(await verified({ email: no, name: no }, true, switches)).toEqual({
      reason: undefined,
      notes: [],
      checks: 'pov',
    });
    const none = { email_verification: false, phone_verification: false, name_verification: false };
    expect((await verified({}, false, none)).checks).toBeUndefined();
  });
});

describe('a stored result', () => {
  it('is returned with its note until it expires', async () => {
    const table = memoryTable();
    const at = (seconds: number) => new Date(1_000_000 + seconds * 1000);
    expect(await verificationResultStore.get({ table }, 'h', at(0))).toBeUndefined();
    await verificationResultStore.put({ table }, 'h', { status: 'invalid', note: 'no such number' }, at(60));
    expect(await verificationResultStore.get({ table }, 'h', at(59))).toEqual({
      status: 'invalid',
      note: 'no such number',
      dead: false,
    });
    await verificationResultStore.put({ table }, 'h', { status: 'invalid', note: null, dead: true }, at(60));
    expect(await verificationResultStore.get({ table }, 'h', at(59))).toMatchObject({ dead: true });
    expect(await verificationResultStore.get({ table }, 'h', at(60))).toBeUndefined();
    await verificationResultStore.put({ table }, 'h', { status: 'valid', note: null }, at(60));
    expect(await verificationResultStore.get({ table }, 'h', at(0))).toMatchObject({
      status: 'valid',
      note: null,
    });
    await verificationResultStore.remove({ table }, 'h');
    expect(await table.get(keys.verificationResult('h'))).toBeUndefined();
    // Written by an earlier version with another kind of check.
    await table.put({ put: { ...keys.verificationResult('h'), verdict: 'unknown', expires_at: 9_999_999 } });
    expect(await verificationResultStore.get({ table }, 'h', at(0))).toBeUndefined();
  });
});
