import type * as z from 'zod/mini';
import { type HeadDeps, headLine } from '#functions/domain/administration/audit-heads';
import type { headEnvironment, operatorEnvironment } from '#functions/environment';
import { createHeadFile } from '#functions/operator/heads';
import { createOperatorMail } from '#functions/operator/operator';

/** Where heads of the audit trail are sent: to the operator by e-mail, and to a file. */
export function headPlaces(
  environment: z.output<typeof operatorEnvironment> & z.output<typeof headEnvironment>,
): HeadDeps['places'] {
  const mail = createOperatorMail(environment);
  const keep = createHeadFile(environment);
  return {
    ...(mail && {
      email: (head) =>
        mail(
          `Audit trail sealed up to link ${head.link}`,
          `Please keep this e-mail. It proves later that nobody has changed the audit trail since:\n\n${headLine(head)}\n\nnpm run verify-audit -- --heads FILE compares the trail with the lines of kept e-mails.\n`,
        ),
    }),
    ...(keep && {
      file: (head) => keep(`heads/${String(head.link).padStart(12, '0')}`, headLine(head)),
    }),
  };
}
