/** IDs of erased leads, stored outside the table, because a table restored from a backup lacks them. */
import { appendFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { parseJson } from '#functions/platform/parse-json';
import { PRIVATE_FILE, readIfThere } from '#local/private-files';

export const ERASED_FILE = 'erased.jsonl';

const erasedSchema = z.object({ lead_ids: z.array(z.string()) });

/** One JSON object per line. */
export function readErased(text: string): { readonly leadIds: string[]; readonly broken: number[] } {
  const leadIds: string[] = [];
  const broken: number[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const { success, data } = erasedSchema.safeParse(parseJson(line.trim()));
    if (success) leadIds.push(...data.lead_ids);
    else broken.push(at + 1);
  }
  return { leadIds, broken };
}

export function keepErased(
  file: string,
  erased: { readonly erasure_id: string; readonly lead_ids: readonly string[] },
): void {
  if (!readIfThere(file).includes(erased.erasure_id))
    appendFileSync(file, `${JSON.stringify(erased)}\n`, PRIVATE_FILE);
}
