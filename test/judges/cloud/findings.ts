/** What the judge asked and saw, one row each. */
import { setTimeout as wait } from 'node:timers/promises';

export interface Finding {
  readonly what: string;
  readonly asked: string;
  readonly seen: string;
  readonly isMet: boolean;
  readonly seconds: number;
}

export class Findings {
  readonly rows: Finding[] = [];

  get areMet(): boolean {
    return this.rows.length > 0 && this.rows.every(({ isMet }) => isMet);
  }

  /** @param look returns what it saw, or throws an error that says what is wrong */
  async see(what: string, asked: string, look: () => Promise<string>): Promise<void> {
    const began = performance.now();
    const [seen, isMet] = await look().then(
      (text) => [text, true] as const,
      (error: unknown) => [error instanceof Error ? error.message : String(error), false] as const,
    );
    const finding = { what, asked, seen, isMet, seconds: Math.round((performance.now() - began) / 1000) };
    this.rows.push(finding);
    console.log(`${isMet ? '✓' : '✗'} ${what} (${finding.seconds} s): ${seen}`);
  }

  /** Markdown. */
  get table(): string {
    return [
      '| what | asked | seen | s |',
      '|---|---|---|---|',
      ...this.rows.map(({ what, asked, seen, isMet, seconds }) =>
        [`| ${what}`, asked, `${isMet ? '' : '**✗** '}${seen.split('\n')[0]}`, `${seconds} |`].join(' | '),
      ),
    ].join('\n');
  }
}

const PATIENCE_MS = 20_000;
const POLL_INTERVAL_MS = 500;
const MAX_SHOWN = 5;

/** Until nothing is found. @throws Error with what is still found when patience ends */
export async function settled(
  find: () => Promise<readonly string[]>,
  patienceMs: number = PATIENCE_MS,
): Promise<void> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const found = await find();
    if (found.length === 0) return;
    expect(performance.now() < until, shown(found));
    await wait(POLL_INTERVAL_MS);
  }
}

export const shown = (found: readonly string[]): string =>
  `${found.length} found: ${found.slice(0, MAX_SHOWN).join('; ')}`;

/** @throws Error with the text unless the condition holds */
export function expect(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise);
}
