/** Third-party Python tools that check the product from outside, installed in a cache folder that all runs share. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const FOLDER = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
  'lead-distribution',
  'judges',
);

/**
 * The path of a tool from PyPI, installed on first use in a folder of its own: tools require different versions of libraries.
 * @returns undefined, with a message, without Python or a package registry
 */
export function pythonTool(name: string, version?: string): string | undefined {
  const required = version === undefined ? name : `${name}==${version}`;
  const folder = join(FOLDER, required);
  const bin = join(folder, process.platform === 'win32' ? 'Scripts' : 'bin');
  const tool = join(bin, name);
  if (existsSync(tool)) return tool;
  const made = spawnSync('python3', ['-m', 'venv', folder]).status === 0;
  const installed = made && spawnSync(join(bin, 'pip'), ['install', '--quiet', required]).status === 0;
  if (installed) return tool;
  process.stdout.write(
    `${name}: skipped, because ${made ? 'it could not be installed' : 'Python 3 with venv is missing'}\n`,
  );
  return undefined;
}

/**
 * Runs a tool and shows its output.
 * @returns whether it ended with 0
 */
export function run(tool: string, args: readonly string[], cwd?: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(tool, args, { stdio: 'inherit', cwd });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });
}
