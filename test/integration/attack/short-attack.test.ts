/**
 * The attack in its short form, one part a test. Each says in sentences what it found broken; `npm run attack` runs the
 * same for as long as is wanted.
 */
import { describe, expect, it } from 'vitest';
import { faults } from '#test/attack/faults';
import { hosts } from '#test/attack/hosts';
import { login, SHORT_LOGIN } from '#test/attack/login';
import { restarts, SHORT_RESTARTS } from '#test/attack/restarts';
import { SHORT_STORM, storm } from '#test/attack/storm';
import { SHORT_TWINS, twins } from '#test/attack/twins';
import { CAN_LIST_PROCESSES } from '#test/harness/product-process';

/** Another one each day would find more and could be repeated by nobody who reads yesterday's report. */
const SEED = 11;
const quietly = () => undefined;

describe('nothing is broken', { timeout: 240_000 }, () => {
  it('by kills of product and engine under load', async () => {
    expect((await storm({ ...SHORT_STORM, seed: SEED }, quietly)).broken).toEqual([]);
  });

  it('by restarts in a row with deliveries waiting', async () => {
    expect((await restarts({ ...SHORT_RESTARTS, seed: SEED }, quietly)).broken).toEqual([]);
  });

  // Windows cannot stop a process and let it go on.
  it.skipIf(!CAN_LIST_PROCESSES)(
    'by one of two products that stands still for a quarter of an hour',
    async () => {
      expect((await twins({ ...SHORT_TWINS, seed: SEED }, quietly)).broken).toEqual([]);
    },
  );

  it('by mail servers and partners that misbehave at any step', async () => {
    expect((await faults({ slow: false }, quietly)).broken).toEqual([]);
  });

  it('by hosts inside, however they are spelt', async () => {
    expect((await hosts(quietly)).broken).toEqual([]);
  });

  it('by the time that a refused login takes', async () => {
    expect((await login({ ...SHORT_LOGIN, seed: SEED }, quietly)).broken).toEqual([]);
  });
});
