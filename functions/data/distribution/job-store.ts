/** In which period each reconciliation job last ran. */
import type { DataContext } from '#functions/data/context';
import { keys } from '#functions/data/table/keys';

/** The instant (UTC) at which the period began. */
export async function done({ table }: DataContext): Promise<ReadonlyMap<string, string>> {
  const { pk: _, sk: __, ...done } = (await table.get(keys.jobs())) ?? {};
  return new Map(Object.entries(done).map(([job, period]) => [job, String(period)]));
}

/** Writes nothing if another run recorded the job since `expected` was read. */
export async function jobDone(
  { table }: DataContext,
  job: string,
  period: string,
  expected: string | undefined,
): Promise<void> {
  await table.update({
    key: keys.jobs(),
    update: 'SET #job = :period',
    condition: expected === undefined ? 'attribute_not_exists(#job)' : '#job = :expected',
    names: { '#job': job },
    values: { ':period': period, ':expected': expected },
  });
}
