/**
 * `npm run admins -- list | add NAME | reset NAME | remove NAME`: the accounts of those who may log in. A password is
 * taken from ADMIN_PASSWORD, else made up and printed once. Which table: see `table.ts`.
 */
import { randomBytes } from 'node:crypto';
import { createSessionStore } from '#functions/data/administration/session-store';
import { addAdmin, resetPassword } from '#functions/domain/administration/admins';
import { systemRuntime } from '#functions/runtime';
import '#local/sdk-warning';
import { StartError } from '#local/start-error';
import { openTable } from './table';

/** Characters of a chosen password; a made-up one has 96 random bits. */
const SHORTEST = 12;
const USAGE = 'Usage: npm run admins -- list | add NAME | reset NAME | remove NAME';

try {
  await run(process.argv[2], process.argv[3]);
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function run(command: string | undefined, name: string | undefined): Promise<void> {
  if (command !== 'list' && (command === undefined || name === undefined)) throw new StartError(USAGE);
  const { table, close } = await openTable();
  try {
    const deps = { sessions: createSessionStore(table), runtime: systemRuntime };
    if (command === 'list') {
      for (const { username, created_at: since } of await deps.sessions.admins())
        console.log(`${username}  since ${since.slice(0, 10)}`);
    } else if (name !== undefined) {
      await change(deps, command, name);
    }
  } finally {
    await close();
  }
}

async function change(deps: Parameters<typeof addAdmin>[0], command: string, name: string): Promise<void> {
  const chosen = process.env.ADMIN_PASSWORD;
  if (chosen !== undefined && chosen.length < SHORTEST)
    throw new StartError(`ADMIN_PASSWORD is too short: at least ${SHORTEST} characters, please.`);
  const password = chosen ?? randomBytes(12).toString('base64url');
  const tell = (done: string) =>
    console.log(chosen === undefined ? `${done}; the password is ${password}` : done);
  switch (command) {
    case 'add':
      if (!(await addAdmin(deps, name, password))) throw new StartError(`There is an admin ${name} already.`);
      tell(`Added ${name}`);
      return;
    case 'reset':
      if (!(await resetPassword(deps, name, password))) throw new StartError(`There is no admin ${name}.`);
      tell(`${name} has a new password`);
      return;
    case 'remove':
      if ((await deps.sessions.admins()).every(({ username }) => username === name))
        throw new StartError(`${name} is the last admin: add another one first.`);
      if (!(await deps.sessions.removeAdmin(name))) throw new StartError(`There is no admin ${name}.`);
      console.log(`Removed ${name}`);
      return;
    default:
      throw new StartError(USAGE);
  }
}
