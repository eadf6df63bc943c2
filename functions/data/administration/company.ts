import * as z from 'zod/mini';
import type { DataContext } from '#functions/data/context';
import { versioned } from '#functions/data/table/items';
import { keys } from '#functions/data/table/keys';
import type { Put } from '#functions/data/table/table';

const text = z._default(z.string(), '');
const companySchema = z.object({
  name: text,
  /** Several lines. */
  address: text,
  imprint_url: text,
  privacy_url: text,
  privacy_contact: text,
  version: z._default(z.int(), 0),
});
/** Who runs the product, as far as entered: empty fields are not shown. */
export type Company = z.output<typeof companySchema>;

export async function companyDetails({ table }: DataContext): Promise<Company> {
  return companySchema.parse((await table.get(keys.company())) ?? {});
}
/** Fails if the details are not as they were read. */
export const companyChanged = (before: Company, after: Company): Put =>
  versioned({ ...keys.company(), ...after }, before.version);
