/** What the judge asked and saw, one row each. */
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

/** @throws Error with the text unless the condition holds */
export function expect(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise);
}
