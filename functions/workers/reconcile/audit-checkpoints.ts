import type * as z from 'zod/mini';
import type { Table } from '#functions/data/table/table';
import { sealAudit } from '#functions/domain/administration/audit-chain';
import {
  type CheckpointContext,
  checkpointLine,
  sendCheckpoints,
} from '#functions/domain/administration/audit-checkpoints';
import { createKeyLoader } from '#functions/keys/keys';
import { createCheckpointFile } from '#functions/operator/checkpoints';
import { createOperatorMail } from '#functions/operator/operator';
import type {
  checkpointEnvironment,
  keyEnvironment,
  operatorEnvironment,
} from '#functions/platform/environment';
import type { Runtime } from '#functions/platform/runtime';

function checkpointDestinations(
  environment: z.output<typeof operatorEnvironment> & z.output<typeof checkpointEnvironment>,
): CheckpointContext['destinations'] {
  const mail = createOperatorMail(environment);
  const keep = createCheckpointFile(environment);
  return {
    ...(mail && {
      email: (checkpoint, key) =>
        mail(
          `Audit trail sealed up to link ${checkpoint.link}`,
          `Please keep this e-mail. It proves later that nobody has changed the audit trail since:\n\n${checkpointLine(checkpoint, key)}\n\nnpm run verify audit -- --checkpoints FILE compares the trail with the lines of kept e-mails.\n`,
        ),
    }),
    ...(keep && {
      file: (checkpoint, key) =>
        keep(`checkpoints/${String(checkpoint.link).padStart(12, '0')}`, checkpointLine(checkpoint, key)),
    }),
  };
}

/** A separate file, so that it is loaded on demand. */
export async function sealAndSend(
  environment: Parameters<typeof checkpointDestinations>[0] & z.output<typeof keyEnvironment>,
  table: Table,
  runtime: Runtime,
): Promise<void> {
  await sealAudit({ table, runtime });
  const loadKeys = createKeyLoader(environment, runtime.log);
  const ageMs = await sendCheckpoints({
    table,
    runtime,
    destinations: checkpointDestinations(environment),
    proofKey: async () => (await loadKeys()).proofSigner().key,
  });
  if (ageMs !== undefined) runtime.metrics.record('AuditCheckpointSeconds', Math.round(ageMs / 1000), {});
}
