/** What the checks of a person decide about a lead, and the results that are kept of them. */
import { describe, expect, it } from 'vitest';
import { createVerificationResultStore } from '#functions/data/distribution/verification-result-store';
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
const verified = (checks: Partial<Checks>, mustBeCertain = false, switches = ALL) =>
  verify({ ...PASSING_CHECKS, ...checks }, switches, aPerson(), mustBeCertain);

describe('the verification of a lead', () => {
  it('names the first check that says no, and the notes of all', async () => {
    expect(await verified({})).toEqual({ reason: undefined, notes: [] });
    const checks = {
      email: answering('unknown', 'no answer'),
      phone: answering('invalid', 'no such number'),
      name: answering('invalid', 'no name'),
    };
    const notes = ['no answer', 'no such number', 'no name'];
    expect(await verified(checks)).toEqual({ reason: 'phone_verification_failed', notes });
    expect(await verified(checks, true)).toEqual({ reason: 'phone_verification_failed', notes });
  });

  it('holds an uncertain lead only where it must be certain', async () => {
    const checks = { name: answering('unknown', 'no answer') };
    expect(await verified(checks)).toEqual({ reason: undefined, notes: ['no answer'] });
    expect(await verified(checks, true)).toMatchObject({ reason: 'verification_unavailable' });
    expect(await verified({}, true)).toMatchObject({ reason: undefined });
  });

  it('asks those alone that are switched on', async () => {
    const no = answering('invalid', 'no');
    const switches = { ...ALL, email_verification: false, name_verification: false };
    expect(await verified({ email: no, name: no }, true, switches)).toEqual({ reason: undefined, notes: [] });
  });
});

describe('a result that is kept', () => {
  it('is there until it expires, with its note', async () => {
    const table = memoryTable();
    const results = createVerificationResultStore(table);
    const at = (seconds: number) => new Date(1_000_000 + seconds * 1000);
    expect(await results.get('h', at(0))).toBeUndefined();
    await results.put('h', { status: 'invalid', note: 'no such number' }, at(60));
    expect(await results.get('h', at(59))).toEqual({ status: 'invalid', note: 'no such number' });
    expect(await results.get('h', at(60))).toBeUndefined();
    await results.put('h', { status: 'valid', note: null }, at(60));
    expect(await results.get('h', at(0))).toEqual({ status: 'valid', note: null });
    // Of an earlier version, which knew another one.
    await table.put({ put: { ...keys.verificationResult('h'), verdict: 'unknown', expires_at: 9_999_999 } });
    expect(await results.get('h', at(0))).toBeUndefined();
  });
});
