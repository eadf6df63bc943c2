import * as z from 'zod/mini';
import { encrypted } from '#functions/data/table/encrypted';

export const templateSchema = z.object({
  id: z.string(),
  name: z.string(),
  smtp_host: z.string(),
  smtp_port: z.int(),
  smtp_user: z.string(),
  smtp_pass: encrypted,
  smtp_from: z.string(),
  smtp_subject: z.string(),
  smtp_body: z.string(),
  smtp_html_body: z.string(),
  created_at: z.string(),
  /** Incremented by every change. A write requires the version that was read. */
  version: z.int(),
});
export type Template = z.output<typeof templateSchema>;
