import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { ensureFirstAdmin } from '#functions/domain/administration/admins';
import type { Cloud } from '#local/cloud';
import { PRIVATE_FILE } from '#local/private-files';

const accountSchema = z.object({ username: z.string(), password: z.string() });
export type Account = z.output<typeof accountSchema>;

export interface FirstAdmin {
  /** Null: made at an earlier start with a chosen password. */
  readonly account: Account | null;
  readonly made: boolean;
}

/** A generated password is stored in a private file, so that it can be looked up and the command line can log in. */
export async function makeFirstAdmin(
  cloud: Pick<Cloud, 'table' | 'runtime'>,
  folder: string,
  chosen: { readonly username: string; readonly password: string | undefined },
): Promise<FirstAdmin> {
  const account = {
    username: chosen.username,
    password: chosen.password ?? randomBytes(12).toString('base64url'),
  };
  const context = { table: cloud.table, runtime: cloud.runtime };
  const made = await ensureFirstAdmin(context, account.username, account.password);
  if (!made) return { account: readAccount(folder), made };
  if (chosen.password === undefined)
    writeFileSync(accountFile(folder), JSON.stringify(account), PRIVATE_FILE);
  return { account, made };
}

export function readAccount(folder: string): Account | null {
  try {
    return accountSchema.parse(JSON.parse(readFileSync(accountFile(folder), 'utf8')));
  } catch {
    return null;
  }
}

const accountFile = (folder: string) => join(folder, 'admin.json');
