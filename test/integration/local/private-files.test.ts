/** The data folder contains personal data and keys, so only its owner may read it, even if it was readable before. */
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { startCloud } from '#local/cloud';
import { makeFirstAdmin } from '#local/first-admin';

const folder = join(tmpdir(), `lead-private-${randomUUID()}`);
afterEach(() => rm(folder, { recursive: true, force: true }));

const start = () =>
  startCloud({
    dataDir: folder,
    reconcileEverySeconds: 0,
    async beforeOpen(parts) {
      await makeFirstAdmin(parts, folder, { username: 'admin', password: undefined });
    },
  });
const modeOf = (path: string) => statSync(path).mode & 0o777;
const paths = () => readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
const isFolder = (path: string) => statSync(path).isDirectory();
const open = () => [folder, ...paths()].filter((path) => modeOf(path) !== (isFolder(path) ? 0o700 : 0o600));

/** Every possible file, including the engine's files next to its database. */
const everyFile = [
  'admin.json',
  'checkpoints',
  'checkpoints/outbox',
  'checkpoints/statistics',
  'inbox.jsonl',
  'keys.json',
  'lock.db',
  'running.json',
  'table.db',
  'table.db-shm',
  'table.db-wal',
];

it.skipIf(process.platform === 'win32')('is private to its owner, with every file in it', async () => {
  const first = await start();
  first.inbox.add({ at: '', from: '', to: [], subject: '', text: '' });
  await first.settled();
  await vi.waitFor(() =>
    expect(paths().map((path) => path.slice(folder.length + 1))).toEqual(expect.arrayContaining(everyFile)),
  );
  expect(open()).toEqual([]);
  await first.stop();

  for (const path of [folder, ...paths()]) chmodSync(path, isFolder(path) ? 0o755 : 0o644);
  const second = await start();
  await second.settled();
  expect(open()).toEqual([]);
  await second.stop();
});

it.skipIf(process.platform === 'win32')(
  'does not change the permissions of a folder with other files',
  async () => {
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    const program = join(folder, 'program');
    writeFileSync(program, '');
    chmodSync(program, 0o755);
    const cloud = await start();
    expect([folder, program].map(modeOf)).toEqual([0o755, 0o755]);
    expect(open().sort()).toEqual([folder, program].sort());
    await cloud.stop();
  },
);
