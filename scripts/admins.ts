/** `npm run admins`: the accounts of those who may log in. */
import { randomBytes } from 'node:crypto';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { createAdminStore } from '#functions/data/administration/admin-store';
import { createPasskeyStore } from '#functions/data/administration/passkey-store';
import { createSessionStore } from '#functions/data/administration/session-store';
import {
  type AccessDeps,
  addByCommand,
  removeAdmin,
  resetPassword,
} from '#functions/domain/administration/admin-access';
import { DomainError } from '#functions/domain/common/errors';
import { systemRuntime } from '#functions/runtime';
import { StartError } from '#local/start-error';
import { command, run } from '#scripts/command';
import { TABLE_HELP, withTable } from '#scripts/table';
import { newUsername } from '#shared/contract/schemas/auth';
import { MIN_PASSWORD_CHARACTERS } from '#shared/rules/constants';

const admins = command('admins', 'Lists, adds, resets and removes those who may log in.').addHelpText(
  'after',
  `
The password:
  ADMIN_PASSWORD     taken where it is set; otherwise one is made up and printed once
${TABLE_HELP}`,
);
admins
  .command('list')
  .description('print every admin')
  .action(() => onAdmins(list));
admins
  .command('add')
  .argument('<name>', '', newName)
  .description('add an admin')
  .action((name) => onAdmins((deps) => add(deps, name)));
admins
  .command('reset')
  .argument('<name>')
  .description('give an admin a new password')
  .action((name) => onAdmins((deps) => reset(deps, name)));
admins
  .command('remove')
  .argument('<name>')
  .description('remove an admin')
  .action((name) => onAdmins((deps) => remove(deps, name)));
await run(admins);

function newName(text: string): string {
  const { success, error } = newUsername.safeParse(text);
  if (!success) throw new InvalidArgumentError(`${error.issues[0]?.message}.`);
  return text;
}

function onAdmins(work: (deps: AccessDeps) => Promise<void>): Promise<void> {
  return withTable((table) =>
    work({
      table,
      sessions: createSessionStore(table),
      admins: createAdminStore(table),
      passkeys: createPasskeyStore(table),
      runtime: systemRuntime,
    }),
  );
}

async function list({ sessions }: AccessDeps): Promise<void> {
  for (const { username, created_at: since } of await sessions.admins())
    console.log(`${username}  since ${since.slice(0, 10)}`);
}

async function add(deps: AccessDeps, name: string): Promise<void> {
  const { password, shown } = choosePassword();
  if (!(await addByCommand(deps, name, password))) throw new StartError(`There is an admin ${name} already.`);
  console.log(`Added ${name}${shown}`);
}

async function reset(deps: AccessDeps, name: string): Promise<void> {
  const { password, shown } = choosePassword();
  if (!(await resetPassword(deps, name, password))) throw new StartError(`There is no admin ${name}.`);
  console.log(`${name} has a new password${shown}`);
}

async function remove(deps: AccessDeps, name: string): Promise<void> {
  try {
    await removeAdmin(deps, undefined, name);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new StartError(
      error.code === 'last_admin'
        ? `${name} is the last admin: add another one first.`
        : `There is no admin ${name}.`,
    );
  }
  console.log(`Removed ${name}`);
}

/** @returns `shown` as what is printed of it: nothing of one that the user chose */
function choosePassword(): { readonly password: string; readonly shown: string } {
  const chosen = process.env.ADMIN_PASSWORD;
  if (chosen === undefined) {
    const password = randomBytes(12).toString('base64url');
    return { password, shown: `; the password is ${password}` };
  }
  if (chosen.length < MIN_PASSWORD_CHARACTERS)
    throw new StartError(
      `ADMIN_PASSWORD is too short: at least ${MIN_PASSWORD_CHARACTERS} characters, please.`,
    );
  return { password: chosen, shown: '' };
}
