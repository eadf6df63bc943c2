import type * as z from 'zod/mini';
import type { Table } from '#functions/data/table/table';
import { sealAudit } from '#functions/domain/administration/audit-chain';
import { type HeadContext, headLine, sendHeads } from '#functions/domain/administration/audit-heads';
import { createHeadFile } from '#functions/operator/heads';
import { createOperatorMail } from '#functions/operator/operator';
import type { headEnvironment, operatorEnvironment } from '#functions/platform/environment';
import type { Runtime } from '#functions/platform/runtime';

function headPlaces(
  environment: z.output<typeof operatorEnvironment> & z.output<typeof headEnvironment>,
): HeadContext['places'] {
  const mail = createOperatorMail(environment);
  const keep = createHeadFile(environment);
  return {
    ...(mail && {
      email: (head) =>
        mail(
          `Audit trail sealed up to link ${head.link}`,
          `Please keep this e-mail. It proves later that nobody has changed the audit trail since:\n\n${headLine(head)}\n\nnpm run verify audit -- --heads FILE compares the trail with the lines of kept e-mails.\n`,
        ),
    }),
    ...(keep && {
      file: (head) => keep(`heads/${String(head.link).padStart(12, '0')}`, headLine(head)),
    }),
  };
}

/** In a file of its own, loaded on demand. */
export async function sealAndSend(
  environment: Parameters<typeof headPlaces>[0],
  table: Table,
  runtime: Runtime,
): Promise<void> {
  await sealAudit({ table, runtime });
  const ageMs = await sendHeads({ table, places: headPlaces(environment), runtime });
  if (ageMs !== undefined) runtime.metrics.record('AuditHeadSeconds', Math.round(ageMs / 1000), {});
}
