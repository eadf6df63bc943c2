import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { bundledProgram } from '#test/harness/bundled-program';
import { Client } from '#test/harness/cloud';
import { CAN_LIST_PROCESSES, processesWith } from '#test/harness/product-process';
import { startProduct } from '#test/harness/start-product';

const folders: string[] = [];
const children: ChildProcess[] = [];
/** Node's arguments: the documented command for one start, its bundle for all others. */
const COMMAND = ['--import', 'tsx', 'local/main.ts'];
let program: string[];

beforeAll(async () => {
  program = [await bundledProgram('local/main.ts')];
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

const newFolder = () => {
  const folder = join(tmpdir(), `lead-process-${randomUUID()}`);
  folders.push(folder);
  return folder;
};

const run = (environment: Record<string, string>, args = program) => {
  const started = startProduct([process.execPath, ...args], environment);
  children.push(started.child);
  return started;
};

describe('npm start', () => {
  it.skipIf(!CAN_LIST_PROCESSES)(
    'reports when it is ready, keeps its data, and leaves no process after SIGTERM',
    async () => {
      const DATA_DIR = newFolder();
      const first = run({ DATA_DIR }, COMMAND);
      const client = new Client(await first.url());
      const [, password = ''] = /with the password (\S+)/.exec(first.output()) ?? [];
      await client.logIn({ username: 'admin', password });
      expect(statSync(join(DATA_DIR, 'keys.json')).mode & 0o777).toBe(0o600);
      expect(statSync(join(DATA_DIR, 'admin.json')).mode & 0o777).toBe(0o600);
      expect(processesWith(DATA_DIR)).not.toEqual([]);
      first.child.kill('SIGTERM');
      expect(await first.ended).toBe(0);
      expect(processesWith(DATA_DIR)).toEqual([]);

      const second = run({ DATA_DIR });
      await new Client(await second.url()).logIn({ username: 'admin', password });
      second.child.kill('SIGINT');
      expect(await second.ended).toBe(0);
    },
  );

  it('accepts the first admin once it is ready, and leaves no process when killed', async () => {
    const probe = createServer();
    const PORT = await new Promise<number>((resolve) => {
      probe.listen(0, '127.0.0.1', () => resolve((probe.address() as AddressInfo).port));
    });
    await new Promise((resolve) => {
      probe.close(resolve);
    });
    const account = { username: 'admin', password: 'correct horse battery staple' };
    const DATA_DIR = newFolder();
    const started = run({ DATA_DIR, PORT: String(PORT), ADMIN_PASSWORD: account.password });
    const client = new Client(`http://127.0.0.1:${PORT}`);
    const statuses: number[] = [];
    await vi.waitFor(
      async () => {
        const { status } = await client.raw('POST', '/api/login', account);
        statuses.push(status);
        if (status === 503) throw new Error('Not ready yet');
      },
      { timeout: 45_000, interval: 5 },
    );
    expect(statuses.at(-1)).toBe(200);
    started.child.kill('SIGKILL');
    await started.ended;
    if (CAN_LIST_PROCESSES)
      await vi.waitFor(() => expect(processesWith(DATA_DIR)).toEqual([]), { timeout: 5000 });
  });

  it('reports in one line what to do if the port is in use', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => {
      taken.listen(0, '127.0.0.1', resolve);
    });
    const { port } = taken.address() as AddressInfo;
    const refused = run({ DATA_DIR: newFolder(), PORT: String(port) });
    expect(await refused.ended).toBe(1);
    expect(refused.output().trim()).toBe(
      `Port ${port} is in use: stop what listens there, or choose another with PORT=${port + 1}.`,
    );
    taken.close();
  });

  it('reports in one line which setting is invalid', async () => {
    const refused = run({ DATA_DIR: newFolder(), PORT: 'many' });
    expect(await refused.ended).toBe(1);
    expect(refused.output().trim()).toMatch(/^PORT=many cannot be used: .*\.$/);
  });
});
