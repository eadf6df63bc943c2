import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBuyerRequest } from '#test/factories/buyers';
import { people } from '#test/factories/people';
import { ADMIN, Client, openOrder, startTestCloud, type TestCloud } from '#test/harness/cloud';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const folder = join(tmpdir(), `lead-commands-${randomUUID()}`);
let cloud: TestCloud;

beforeAll(async () => {
  await mkdir(folder);
  cloud = await startTestCloud({ dataDir: join(folder, 'data') });
  for (const [buyer_id, probability, lead_limit] of [
    ['alpha', 60, 100],
    ['beta', 40, 10],
  ] as const)
    await openOrder(cloud.admin, { buyer_id, probability }, lead_limit);
  await cloud.admin.ok('createBuyer', { body: aBuyerRequest({ buyer_id: 'nobody', probability: 0 }) });
});
afterAll(async () => {
  await cloud.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A command as npm runs it, on the data folder of the running product. */
const run = (script: string, parameters: readonly string[], environment: Record<string, string> = {}) =>
  new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = spawn(process.execPath, ['--import', 'tsx', `scripts/${script}.ts`, ...parameters], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, DATA_DIR: join(folder, 'data'), ...environment },
    });
    let output = '';
    const read = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => resolve({ code, output }));
  });

describe('npm run leads', () => {
  const account = { ADMIN_USERNAME: ADMIN.username, ADMIN_PASSWORD: ADMIN.password };

  it('posts every line and sums up assigned, pending and refused leads', async () => {
    const file = join(folder, 'leads.jsonl');
    const leads = people(130).map((lead) => JSON.stringify({ ...lead, anlagebetrag: 50_000 }));
    await writeFile(file, [...leads, 'no json', '{"vorname":"Eva"}', ''].join('\n'));
    const { code, output } = await run('leads', [file, '--concurrency', '4'], account);
    expect(output).toMatch(/alpha\s+100\s/);
    expect(output).toMatch(/beta\s+10\s/);
    expect(output).not.toContain('nobody');
    expect(output).toMatch(/20 pending\n\s+20 {2}All orders have reached their lead limit/);
    expect(output).toMatch(/2 not taken\n\s+line 131: not JSON\n\s+line 132: createLead: 400/);
    expect(code).toBe(1);
  });

  it('says in one line why it cannot start', async () => {
    expect(await run('leads', [])).toMatchObject({ code: 1, output: expect.stringMatching(/^Usage: /) });
    expect(await run('leads', ['nothing.jsonl'], account)).toEqual({
      code: 1,
      output: 'nothing.jsonl cannot be read (ENOENT).\n',
    });
    const wrong = await run('leads', ['nothing.jsonl'], { ...account, ADMIN_PASSWORD: 'wrong' });
    expect(wrong.output).toBe('Log in as admin: login: 401 Invalid credentials\n');
  });
});

describe('npm run admins', () => {
  it('adds, resets, lists and removes while the product runs', async () => {
    const added = await run('admins', ['add', 'maria']);
    const [, password = ''] = /the password is (\S+)/.exec(added.output) ?? [];
    await new Client(cloud.url).logIn({ username: 'maria', password });

    expect(await run('admins', ['reset', 'maria'], { ADMIN_PASSWORD: 'short' })).toEqual({
      code: 1,
      output: 'ADMIN_PASSWORD is too short: at least 12 characters, please.\n',
    });
    await run('admins', ['reset', 'maria'], { ADMIN_PASSWORD: 'a new password of her own' });
    await expect(new Client(cloud.url).logIn({ username: 'maria', password })).rejects.toThrow(/401/);
    await new Client(cloud.url).logIn({ username: 'maria', password: 'a new password of her own' });

    expect((await run('admins', ['list'])).output).toMatch(/^admin {2}since .*\nmaria {2}since .*\n$/);
    expect(await run('admins', ['remove', 'maria'])).toEqual({ code: 0, output: 'Removed maria\n' });
    expect(await run('admins', ['remove', 'admin'])).toEqual({
      code: 1,
      output: 'admin is the last admin: add another one first.\n',
    });
  });
});
