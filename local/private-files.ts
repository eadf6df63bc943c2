/** The data folder holds persons and keys, so it is its owner's alone. Windows has no such modes and ignores them. */
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '#local/start-error';

/** For `writeFileSync` and its like; it counts only when they make the file. */
export const PRIVATE_FILE = { mode: 0o600 } as const;
const FOLDER_MODE = 0o700;

/** A file that is written to find out whether there is space. */
export const SPACE_PROBE = 'space.probe';

/** What the product keeps in its data folder: files, and folders of files. */
const OWN_FILE =
  /^(admin\.json|space\.probe|keys\.json|running\.json|inbox\.jsonl(\.new)?|erased\.jsonl|(table|lock)\.db(-wal|-shm|-journal)?)$/;
const OWN_FOLDERS: ReadonlySet<string> = new Set(['checkpoints']);

/** Makes a folder, and those above it, that only its owner may enter. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
}

/**
 * Makes the data folder, or takes away what others may do in one of an earlier start. A folder with anything else in it
 * keeps its mode: it may be a home or a project.
 */
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

/** @returns an empty text where there is no file */
export function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return '';
    throw error;
  }
}

/** Makes an empty file unless it is there. SQLite takes one for a new database and gives its mode to what stands beside. */
export function makePrivateFile(file: string): void {
  closeSync(openSync(file, 'a', PRIVATE_FILE.mode));
}
