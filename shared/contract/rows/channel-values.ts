import * as z from 'zod/mini';
import { RULE_SUBJECTS, VERDICTS } from '#shared/rules/answer-rules';

/** A name and its value, such as a header, stored as it is shown. */
export const pair = z.object({ name: z.string(), value: z.string() });

/** A rule over answers, stored as it is shown. */
export const answerRule = z.object({
  subject: z.enum(RULE_SUBJECTS),
  path: z.string(),
  value: z.string(),
  verdict: z.enum(VERDICTS),
});
