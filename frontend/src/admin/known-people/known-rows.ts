/** The rows of a file as hashes. Plain contacts do not leave the browser. */
import { hashOf } from '#shared/rules/consent-proof';
import { MAX_KNOWN_HASHES, saltedText } from '#shared/rules/known-people';
import { withPhonePrefix } from '#shared/rules/search-text';
import { isEmailAddress } from '#shared/rules/validation';
import type { FileRow } from '../sources/import/read-table';

/** A row has at most two hashes. */
export const ROWS_A_PART = MAX_KNOWN_HASHES / 2;

export interface ContactColumns {
  readonly email: number;
  readonly phone: number;
}

/** -1 for a column that the file does not have. */
export const contactColumns = (headers: readonly string[]): ContactColumns => ({
  email: headers.findIndex((header) => /mail/i.test(header)),
  phone: headers.findIndex((header) => /tel|phone|mobil|handy|rufnummer/i.test(header)),
});

export interface Counts {
  readonly rows: number;
  readonly invalid: number;
  readonly duplicates: number;
}

/** @param seen hashes of the rows before, to which those of this part are added */
export async function hashedPart(
  salt: string,
  rows: readonly FileRow[],
  columns: ContactColumns,
  seen: Set<string>,
): Promise<{ readonly hashes: readonly string[]; readonly counts: Counts }> {
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/max');
  const hashedRows = await Promise.all(
    rows.map(async ({ cells }) => {
      const email = cells[columns.email] ?? '';
      const phone = parsePhoneNumberFromString(withPhonePrefix(cells[columns.phone] ?? ''), 'DE')?.number;
      return Promise.all([
        ...(phone === undefined ? [] : [hashOf(saltedText(salt, 'phone', phone))]),
        ...(isEmailAddress(email) ? [hashOf(saltedText(salt, 'email', email.toLowerCase()))] : []),
      ]);
    }),
  );
  const hashes: string[] = [];
  let [invalid, duplicates] = [0, 0];
  for (const row of hashedRows) {
    const added = row.filter((hash) => !seen.has(hash));
    if (row.length === 0) invalid += 1;
    else if (added.length === 0) duplicates += 1;
    for (const hash of added) {
      seen.add(hash);
      hashes.push(hash);
    }
  }
  return { hashes, counts: { rows: rows.length, invalid, duplicates } };
}

export const sumOf = (one: Counts, other: Counts): Counts => ({
  rows: one.rows + other.rows,
  invalid: one.invalid + other.invalid,
  duplicates: one.duplicates + other.duplicates,
});
