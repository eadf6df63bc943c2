/** Mistakes planted in a copy of the sources, one at a time, each of which a judge has to find. */
import { change, copySources } from '#test/judges/cloud/deployment';
import { Findings } from '#test/judges/cloud/findings';

export interface Mutant {
  readonly what: string;
  readonly changes: readonly (readonly [file: string, old: string, by: string])[];
}

export function plant(folder: string, { changes }: Mutant): void {
  for (const [file, old, by] of changes) change(folder, file, old, by);
}

/** A finding that is met if the judge found the mistake. */
export async function find(
  findings: Findings,
  mutant: Mutant,
  judge: (folder: string, own: Findings) => Promise<void>,
): Promise<void> {
  await findings.see(mutant.what, 'found', async () => {
    const folder = copySources('mutant');
    plant(folder, mutant);
    const own = new Findings();
    const stopped = await judge(folder, own).then(
      () => undefined,
      (error: unknown) => String(error).split('\n')[0],
    );
    if (stopped !== undefined) return `by the deployment: ${stopped}`;
    if (own.areMet) throw new Error('It was not found');
    return `by ${own.rows
      .filter(({ isMet }) => !isMet)
      .map((row) => row.what)
      .join(', ')}`;
  });
}
