/** Runs the commands of `scripts/` in separate processes, bundled for a fast start. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { bundledProgram } from '#test/harness/bundled-program';

const ROOT = join(import.meta.dirname, '..', '..');

export interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** @param environment the whole environment of the process except `PATH` */
export async function runCommand(
  script: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ended> {
  return runNode([await bundledProgram(`scripts/${script}.ts`), ...parameters], environment);
}

export function runNode(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { PATH: process.env.PATH, ...environment },
    });
    let [output, errors] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    child.once('close', (code) => resolve({ code, output, errors }));
  });
}
