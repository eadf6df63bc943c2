/** Makes and rotates the keys for sessions and stored secrets. */
import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import {
  type CustomResourceAnswer,
  type CustomResourceEvent,
  isPlaceholder,
  type SecretStore,
} from '#cdk/provisioning/custom-resource';
import { seal } from '#cdk/provisioning/sealed';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';

const properties = z.object({
  secretArn: z.string().check(z.minLength(1)),
  // CloudFormation passes numbers as text.
  generation: z.coerce.number().check(z.int(), z.positive()),
  copy: z.optional(z.object({ tableName: z.string(), publicKey: z.string() })),
});

const keyFile = z.object({
  session: z.base64(),
  encryption: z.array(z.object({ id: z.string(), key: z.base64() })).check(z.minLength(1)),
});

const KEY_BYTES = 32;
const newKey = () => randomBytes(KEY_BYTES).toString('base64');

export interface KeyDeps {
  readonly secrets: SecretStore;
  readonly table: (name: string) => Pick<Table, 'put'>;
}

/**
 * Old encryption keys still decrypt. Repeating a generation changes nothing. `copy` puts the sealed secret into the table, for
 * its backups. @throws Error for a secret with other content
 */
export async function makeKeys(
  event: CustomResourceEvent,
  { secrets, table }: KeyDeps,
): Promise<CustomResourceAnswer> {
  const { secretArn, generation, copy } = properties.parse(event.ResourceProperties);
  if (event.RequestType === 'Delete') return { PhysicalResourceId: event.PhysicalResourceId ?? secretArn };

  const value = await reachGeneration(generation, secretArn, secrets);
  if (copy !== undefined)
    await table(copy.tableName).put({
      put: { ...keys.keysCopy(), generation, sealed: await seal(value, copy.publicKey) },
    });
  return { PhysicalResourceId: secretArn, Data: { generation: String(generation) } };
}

async function reachGeneration(generation: number, secretArn: string, secrets: SecretStore): Promise<string> {
  const id = `g${generation}`;
  const value = await secrets.read(secretArn);
  const former = isPlaceholder(value) ? [] : parseKeyFile(value).encryption;
  if (former.some((key) => key.id === id)) return value;
  const next = JSON.stringify({ session: newKey(), encryption: [{ id, key: newKey() }, ...former] });
  await secrets.write(secretArn, next);
  return next;
}

function parseKeyFile(value: string): z.output<typeof keyFile> {
  try {
    return keyFile.parse(JSON.parse(value));
  } catch {
    // The cause would quote the secret.
    throw new Error('The secret holds no key file; restore an earlier version of it and deploy again');
  }
}
