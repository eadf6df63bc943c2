/**
 * What every command has in common: how its arguments are read, `--help`, and how it ends. Exit codes: 0 done; 1 failed,
 * or found what must not be; 2 called in a wrong way.
 */
import { readFileSync } from 'node:fs';
import { Command, type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings';
import { StartError, systemCode } from '#local/start-error';

const FAILED = 1;
const WRONG_USE = 2;

/** @param name of the npm script */
export function command(name: string, description: string): Command {
  return new Command(`npm run ${name} --`)
    .description(description)
    .helpCommand(false)
    .showHelpAfterError()
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : WRONG_USE));
}

/** Runs the action of a command. What the user can mend is one line; anything else is a defect and shows its stack. */
export async function run(wanted: CommandUnknownOpts): Promise<void> {
  try {
    await wanted.parseAsync();
  } catch (error) {
    if (error instanceof StartError) console.error(error.message);
    else if (isRefusal(error)) console.error(`${error.name}: ${error.message}`);
    else throw error;
    process.exitCode = FAILED;
  }
}

/** Whether AWS or its local replacement refused a call, such as for a missing table or missing rights. */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && '$fault' in error;
}

/** Ends the process with 1 when everything is done. */
export function fail(): void {
  process.exitCode = FAILED;
}

/** Reads an argument that counts something. */
export function atLeastOne(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError('It must be a whole number, at least 1.');
  return count;
}

/** @throws StartError for a file that cannot be read */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`${file} cannot be read (${systemCode(error) ?? 'unknown error'}).`);
  }
}
