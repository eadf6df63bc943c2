/**
 * Whether the time of a refused login tells if the name exists. Both kinds take turns, so that a busy machine slows both;
 * if neither is slower as such, each wins about half of the turns.
 */
import { addAdmin } from '#functions/domain/administration/admins';
import type { PartResult, Report } from '#test/attack/part';
import { ADMIN, startTestCloud } from '#test/harness/cloud';
import { seeded } from '#test/harness/random';

export interface LoginPlan {
  readonly seed: number;
  readonly pairs: number;
}

export const LONG_LOGIN = { pairs: 200 } as const;
export const SHORT_LOGIN = { pairs: 16 } as const;

const KNOWN = 'known';
/** The brake of wrong passwords looks back a quarter of an hour. */
const PAUSE_MS = 16 * 60_000;
/** Of a sign test: without a difference it is passed once in ten thousand runs; 16 pairs reach it at most. */
const MAX_DEVIATIONS = 3.9;

/** @param report told how far it is */
export async function login({ seed, pairs }: LoginPlan, report: Report): Promise<PartResult> {
  const random = seeded(seed);
  const cloud = await startTestCloud();
  // The one of all tests has a password that costs little to check.
  const deps = { table: cloud.table, runtime: cloud.runtime };
  await addAdmin(deps, KNOWN, ADMIN.password);
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  const broken: string[] = [];
  try {
    let now = cloud.clock.now().getTime();
    const attempt = async (kind: 'known' | 'unknown', n: number) => {
      now += PAUSE_MS;
      cloud.clock.set(new Date(now));
      const username = kind === 'known' ? KNOWN : `nobody-${n}`;
      const began = performance.now();
      const { status, body } = await cloud.visitor.call('login', {
        body: { username, password: `wrong-${n}` },
      });
      times[kind].push(performance.now() - began);
      if (status !== 401) broken.push(`a wrong password of a name that is ${kind} was answered ${status}`);
      return JSON.stringify(body);
    };
    for (let n = 0; n < pairs; n += 1) {
      const order = random.below(2) === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
      const [one, other] = [await attempt(order[0], n), await attempt(order[1], n)];
      if (one !== other) broken.push('the answers differ');
      report(n / pairs, `${n} pairs`);
    }
  } finally {
    await cloud.stop();
  }
  const slower = times.known.filter((time, at) => time > (times.unknown[at] ?? 0)).length;
  const deviations = Math.abs(slower - pairs / 2) / Math.sqrt(pairs / 4);
  if (deviations > MAX_DEVIATIONS)
    broken.push(
      `a known name was slower in ${slower} of ${pairs} turns (${deviations.toFixed(1)} deviations)`,
    );
  return {
    name: 'login',
    figures: {
      'wrong passwords for a known and for an unknown name, each': pairs,
      'median for a known and for an unknown name, ms': `${median(times.known)}, ${median(times.unknown)}`,
      'turns in which the known one was slower': `${slower} (${deviations.toFixed(1)} deviations from half)`,
    },
    broken: [...new Set(broken)],
  };
}

function median(values: readonly number[]): string {
  return (values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0).toFixed(1);
}
