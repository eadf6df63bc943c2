/** Builds the web app when it is not there or older than what it is made of. */
import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
export const WEB_ROOT = join(ROOT, 'dist', 'web');
const SOURCES = ['frontend', 'shared', 'package-lock.json'];

/** @returns whether it had to build */
export async function ensureWebBuild(): Promise<boolean> {
  if (await isFresh()) return false;
  const { build } = await import('vite');
  await build({ configFile: join(ROOT, 'frontend', 'vite.config.ts'), logLevel: 'warn' });
  return true;
}

async function isFresh(): Promise<boolean> {
  const built = modified(join(WEB_ROOT, 'index.html'));
  if (built === undefined) return false;
  for (const source of SOURCES) if ((await newest(join(ROOT, source))) > built) return false;
  return true;
}

async function newest(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true }).catch(() => []);
  return Math.max(
    0,
    ...[path, ...entries.map((entry) => join(path, entry))].map((file) => modified(file) ?? 0),
  );
}

function modified(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
