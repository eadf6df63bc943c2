/** `npm run admins`: the accounts of those who may log in. */
import { randomBytes } from 'node:crypto';
import { createSessionStore } from '#functions/data/administration/session-store';
import { addAdmin, resetPassword } from '#functions/domain/administration/admins';
import { systemRuntime } from '#functions/runtime';
import { StartError } from '#local/start-error';
import { command, run } from '#scripts/command';
import { TABLE_HELP, withTable } from '#scripts/table';

type Deps = Parameters<typeof addAdmin>[0];

/** Of a chosen password; a generated one has 96 random bits. */
const MIN_PASSWORD_CHARACTERS = 12;

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
  .argument('<name>')
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

function onAdmins(work: (deps: Deps) => Promise<void>): Promise<void> {
  return withTable((table) => work({ sessions: createSessionStore(table), runtime: systemRuntime }));
}

async function list({ sessions }: Deps): Promise<void> {
  for (const { username, created_at: since } of await sessions.admins())
    console.log(`${username}  since ${since.slice(0, 10)}`);
}

async function add(deps: Deps, name: string): Promise<void> {
  const { password, shown } = choosePassword();
  if (!(await addAdmin(deps, name, password))) throw new StartError(`There is an admin ${name} already.`);
  console.log(`Added ${name}${shown}`);
}

async function reset(deps: Deps, name: string): Promise<void> {
  const { password, shown } = choosePassword();
  if (!(await resetPassword(deps, name, password))) throw new StartError(`There is no admin ${name}.`);
  console.log(`${name} has a new password${shown}`);
}

async function remove({ sessions }: Deps, name: string): Promise<void> {
  if ((await sessions.admins()).every(({ username }) => username === name))
    throw new StartError(`${name} is the last admin: add another one first.`);
  if (!(await sessions.removeAdmin(name))) throw new StartError(`There is no admin ${name}.`);
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
