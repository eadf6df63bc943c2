/** The ids of erased leads, in a file beside the table: a table that is put back from a copy does not know them. */
import { appendFileSync, readFileSync } from 'node:fs';
import { PRIVATE_FILE } from '#local/private-files';
import { systemCode } from '#local/start-error';

export const ERASED_FILE = 'erased.jsonl';

/** Adds the leads of an erasure as a line, once. */
export function keepErased(
  file: string,
  erased: { readonly erasure_id: string; readonly lead_ids: readonly string[] },
): void {
  if (!readKept(file).includes(erased.erasure_id))
    appendFileSync(file, `${JSON.stringify(erased)}\n`, PRIVATE_FILE);
}

function readKept(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return '';
    throw error;
  }
}
