/** Exit codes: 0 done; 1 failed, or found a fault; 2 wrong usage. */
import { readFileSync } from 'node:fs';
import { Command, type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings';
import { StartError, systemCode } from '#local/start-error';

const FAILED = 1;
const WRONG_USE = 2;

export function command(name: string, description: string): Command {
  return new Command(`npm run ${name} --`)
    .description(description)
    .helpCommand(false)
    .showHelpAfterError()
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : WRONG_USE));
}

/** What the user can fix is one line; anything else shows its stack. */
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

/** Such as for a missing table or missing rights. */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && '$fault' in error;
}

export function fail(): void {
  process.exitCode = FAILED;
}

export function atLeastOne(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError('It must be a whole number, at least 1.');
  return count;
}

export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`${file} cannot be read (${systemCode(error) ?? 'unknown error'}).`);
  }
}
