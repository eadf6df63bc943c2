/** `npm run admins` */

import { randomBytes } from 'node:crypto';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import * as sessionStore from '#functions/data/administration/session-store';
import type { Context } from '#functions/data/context';
import { addByCommand, removeAdmin, resetPassword } from '#functions/domain/administration/admin-access';
import { DomainError } from '#functions/domain/common/errors';
import { systemRuntime } from '#functions/platform/runtime';
import { StartError } from '#local/start-error';
import { command, run } from '#scripts/command';
import { TABLE_HELP, withTable } from '#scripts/table';
import { newUsername } from '#shared/contract/schemas/auth';
import { MIN_PASSWORD_CHARACTERS } from '#shared/rules/constants';

const admins = command('admins', 'Lists, adds, resets and removes admins.').addHelpText(
  'after',
  `
The password:
  ADMIN_PASSWORD     the password; by default one is generated and printed once
${TABLE_HELP}`,
);
admins
  .command('list')
  .description('list all admins')
  .action(() => onAdmins(list));
admins
  .command('add')
  .argument('<name>', '', newName)
  .description('add an admin')
  .action((name) => onAdmins((context) => add(context, name)));
admins
  .command('reset')
  .argument('<name>')
  .description('reset an admin’s password')
  .action((name) => onAdmins((context) => reset(context, name)));
admins
  .command('remove')
  .argument('<name>')
  .description('remove an admin')
  .action((name) => onAdmins((context) => remove(context, name)));
await run(admins);

function newName(text: string): string {
  const { success, error } = newUsername.safeParse(text);
  if (!success) throw new InvalidArgumentError(`${error.issues[0]?.message}.`);
  return text;
}

function onAdmins(work: (context: Context) => Promise<void>): Promise<void> {
  return withTable((table) =>
    work({
      table,
      runtime: systemRuntime,
    }),
  );
}

async function list(context: Context): Promise<void> {
  for (const { username, created_at: since } of await sessionStore.admins(context))
    console.log(`${username}  since ${since.slice(0, 10)}`);
}

async function add(context: Context, name: string): Promise<void> {
  const { password, shown } = choosePassword();
  if (!(await addByCommand(context, name, password))) throw new StartError(`Admin ${name} already exists.`);
  console.log(`Added ${name}${shown}`);
}

async function reset(context: Context, name: string): Promise<void> {
  const { password, shown } = choosePassword();
  if (!(await resetPassword(context, name, password))) throw new StartError(`Admin ${name} does not exist.`);
  console.log(`${name} has a new password${shown}`);
}

async function remove(context: Context, name: string): Promise<void> {
  try {
    await removeAdmin(context, undefined, name);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new StartError(
      error.code === 'last_admin'
        ? `${name} is the last admin: add another one first.`
        : `Admin ${name} does not exist.`,
    );
  }
  console.log(`Removed ${name}`);
}

/** @returns `shown` is empty for a chosen password */
function choosePassword(): { readonly password: string; readonly shown: string } {
  const chosen = process.env.ADMIN_PASSWORD;
  if (chosen === undefined) {
    const password = randomBytes(12).toString('base64url');
    return { password, shown: `; the password is ${password}` };
  }
  if (chosen.length < MIN_PASSWORD_CHARACTERS)
    throw new StartError(`ADMIN_PASSWORD needs at least ${MIN_PASSWORD_CHARACTERS} characters.`);
  return { password: chosen, shown: '' };
}
