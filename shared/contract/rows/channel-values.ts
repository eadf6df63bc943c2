import * as z from 'zod/mini';
import { RULE_SUBJECTS, VERDICTS } from '#shared/rules/answer-rules';

export const pair = z.object({ name: z.string(), value: z.string() });

export const answerRule = z.object({
  subject: z.enum(RULE_SUBJECTS),
  path: z.string(),
  value: z.string(),
  verdict: z.enum(VERDICTS),
});
