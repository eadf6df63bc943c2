import * as z from 'zod/mini';

export const companyRow = z.object({
  name: z.string(),
  address: z.string(),
  imprint_url: z.string(),
  privacy_url: z.string(),
  privacy_contact: z.string(),
});
export type CompanyRow = z.output<typeof companyRow>;
