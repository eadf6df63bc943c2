/** The data folder contains persons and keys, so only its owner may read it. Windows ignores modes. */
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '#local/start-error';

/** Applies only to new files. */
export const PRIVATE_FILE = { mode: 0o600 } as const;
const FOLDER_MODE = 0o700;

export const SPACE_PROBE = 'space.probe';

const OWN_FILE =
  /^(admin\.json|space\.probe|keys\.json|running\.json|inbox\.jsonl(\.new)?|erased\.jsonl|(table|lock)\.db(-wal|-shm|-journal)?)$/;
const OWN_FOLDERS: ReadonlySet<string> = new Set(['checkpoints']);

export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
}

/** A folder with anything else in it keeps its mode: it may be a home or a project. */
export function makeDataFolder(folder: string): void {
  makePrivateFolder(folder);
  const entries = readdirSync(folder, { withFileTypes: true });
  const own = entries.filter((entry) =>
    entry.isDirectory() ? OWN_FOLDERS.has(entry.name) : entry.isFile() && OWN_FILE.test(entry.name),
  );
  if (own.length === entries.length) chmodSync(folder, FOLDER_MODE);
  for (const entry of own) {
    const path = join(folder, entry.name);
    if (entry.isFile()) chmodSync(path, PRIVATE_FILE.mode);
    else makePrivateContent(path);
  }
}

function makePrivateContent(folder: string): void {
  chmodSync(folder, FOLDER_MODE);
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), PRIVATE_FILE.mode);
}

export function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return '';
    throw error;
  }
}

/** SQLite accepts an empty file as a new database, and gives its journal files the same mode. */
export function makePrivateFile(file: string): void {
  closeSync(openSync(file, 'a', PRIVATE_FILE.mode));
}
