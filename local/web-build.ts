/** Builds the web app if it is missing or older than its sources. */
import { execFile } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { lockFolder } from '#local/lock';
import { StartError } from '#local/start-error';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
export const WEB_ROOT = join(DIST, 'web');
const SOURCES = ['frontend', 'shared', 'package-lock.json'];
const MAX_BUILD_MS = 120_000;

/** One process builds at a time; others wait. @returns whether it had to build */
export async function ensureWebBuild(): Promise<boolean> {
  if (await isFresh()) return false;
  const release = await lockDist();
  try {
    if (await isFresh()) return false;
    await build();
    return true;
  } finally {
    release();
  }
}

/** In a separate process, because libraries choose their build by NODE_ENV. */
async function build(): Promise<void> {
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin', 'vite.js');
  await promisify(execFile)(process.execPath, [vite, 'build', 'frontend', '--logLevel', 'warn'], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: 'production' },
  });
}

async function lockDist(): Promise<() => void> {
  mkdirSync(DIST, { recursive: true });
  const until = Date.now() + MAX_BUILD_MS;
  for (;;) {
    try {
      return lockFolder(DIST);
    } catch (error) {
      if (!(error instanceof StartError) || Date.now() > until) throw error;
    }
    await sleep(200);
  }
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
