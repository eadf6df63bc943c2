/**
 * The product on a full disk: a file system of a few megabytes, mounted in the process's own namespace, which needs no
 * root on Linux with user namespaces.
 */
import { type ChildProcess, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLogger } from '#functions/platform/logger';
import { Checkpoint } from '#local/checkpoint';
import { aBuyerRequest } from '#test/factories/buyers';
import { aLeadRequest } from '#test/factories/people';
import { bundledProgram } from '#test/harness/bundled-program';
import { ADMIN, Client } from '#test/harness/cloud';
import { startProduct } from '#test/harness/start-product';

const folder = join(tmpdir(), `lead-full-${randomUUID()}`);
let child: ChildProcess | undefined;
beforeEach(() => mkdirSync(folder));
afterEach(async () => {
  child?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const MOUNT = 'mount -t tmpfs -o size="$1" tmpfs "$2" && shift 2 && exec "$@"';
/** The command with a separate file system at `folder`. */
const inSmallFileSystem = (size: string, ...command: string[]) =>
  ['unshare', '-rm', 'sh', '-c', MOUNT, 'sh', size, folder, ...command] as const;

const canMount = () => {
  mkdirSync(folder, { recursive: true });
  const [program, ...args] = inSmallFileSystem('1m', 'true');
  const { status } = spawnSync(program, args);
  rmSync(folder, { recursive: true });
  return status === 0;
};

it.skipIf(!canMount())(
  'answers 503 while the disk is full, survives, and continues when there is space',
  async () => {
    const product = await bundledProgram('local/main.ts');
    const {
      child: running,
      ended,
      url,
    } = startProduct(inSmallFileSystem('16m', process.execPath, product), {
      DATA_DIR: folder,
      ADMIN_PASSWORD: ADMIN.password,
    });
    child = running;
    const client = new Client(await url());
    await client.logIn();
    await client.ok('createBuyer', { body: aBuyerRequest({ buyer_id: 'a', probability: 100 }) });
    await client.ok('createOrder', { body: { buyer_id: 'a', lead_limit: 1000 } });
    let accepted = 0;
    const post = async () => {
      const { status, body } = await client.call('createLead', { body: aLeadRequest() });
      if (status === 200) accepted += 1;
      return { status, body };
    };
    expect(await post()).toMatchObject({ status: 200 });

    const filler = join(`/proc/${running.pid}/root`, folder, 'filler');
    const fill = () => {
      for (const bytes of [1024 * 1024, 4096, 1])
        for (;;)
          try {
            appendFileSync(filler, Buffer.alloc(bytes));
          } catch {
            break;
          }
    };
    // Until neither the database nor its sidecar files have free space left inside their files.
    const refused = await vi.waitFor(
      async () => {
        fill();
        const reply = await post();
        if (reply.status === 200) throw new Error('There is still room');
        return reply;
      },
      { timeout: 60_000, interval: 10 },
    );
    expect(refused).toMatchObject({
      status: 503,
      body: { code: 'disk_full', error: expect.stringContaining('The disk is full') },
    });
    for (let times = 0; times < 3; times += 1) {
      fill();
      expect((await post()).status).toBe(503);
    }
    expect((await client.call('listBuyers')).status).toBe(200);
    expect(running.exitCode).toBeNull();

    rmSync(filler);
    await vi.waitFor(async () => expect((await post()).status).toBe(200), { timeout: 30_000, interval: 50 });
    expect(running.exitCode).toBeNull();
    // Every accepted lead is counted, so the stream continues as well.
    await vi.waitFor(
      async () => {
        const { time_series } = await client.ok('getBuyerStats', { query: {} });
        const counted = time_series.reduce((sum, day) => sum + day.leads_received, 0);
        expect(counted).toBeGreaterThanOrEqual(accepted);
      },
      { timeout: 30_000, interval: 100 },
    );
    running.kill('SIGTERM');
    expect(await ended).toBe(0);
  },
);

it('a checkpoint that cannot be written is reported, and written once it is possible', async () => {
  const problems: string[] = [];
  const blocked = join(folder, 'checkpoints');
  writeFileSync(blocked, 'a file where the folder should be');
  const file = join(blocked, 'outbox');
  const log = createLogger((line) => problems.push(line));
  const checkpoint = new Checkpoint(file, log);
  checkpoint.advance({ 'label/shard': '000000000000000000007' });
  await vi.waitFor(() => expect(problems).toHaveLength(1), { timeout: 5000 });
  expect(existsSync(file)).toBe(false);
  rmSync(blocked);
  await vi.waitFor(() => expect(existsSync(file)).toBe(true), { timeout: 10_000 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  checkpoint.close();
  expect(new Checkpoint(file, log).position).toEqual({ 'label/shard': '000000000000000000007' });
});
