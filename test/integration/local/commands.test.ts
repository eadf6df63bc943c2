import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBuyerRequest } from '#test/factories/buyers';
import { people } from '#test/factories/people';
import { bundledProgram } from '#test/harness/bundled-program';
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

/** A command on the data folder of the running product: bundled, so that its starts are fast. */
const run = async (script: string, parameters: readonly string[], environment: Record<string, string> = {}) =>
  start([await bundledProgram(`scripts/${script}.ts`), ...parameters], environment);

const start = (args: readonly string[], environment: Record<string, string>) =>
  new Promise<{ code: number | null; output: string; errors: string }>((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { PATH: process.env.PATH, DATA_DIR: join(folder, 'data'), ...environment },
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

/** The text is a line of its own; the SDK may say beside it that this Node is too old. */
const line = (text: string) => expect.stringMatching(new RegExp(`^${text.replaceAll('.', '\\.')}$`, 'm'));

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
    expect(await run('leads', ['nothing.jsonl'], account)).toEqual({
      code: 1,
      output: '',
      errors: 'nothing.jsonl cannot be read (ENOENT).\n',
    });
    const wrong = await run('leads', ['nothing.jsonl'], { ...account, ADMIN_PASSWORD: 'wrong' });
    expect(wrong.errors).toBe('Log in as admin: login: 401 Invalid credentials\n');
  });
});

describe('every command', () => {
  it('refuses wrong use with the reason and the usage, and ends with 2', async () => {
    const wrong: readonly [string, string[], RegExp][] = [
      ['leads', [], /^error: missing required argument 'file'\n/m],
      [
        'leads',
        ['leads.jsonl', '--concurrency', 'many'],
        /^error: .* It must be a whole number of at least 1\./m,
      ],
      ['admins', ['ad', 'maria'], /^error: unknown command 'ad'/m],
      // Taken for no option at all it would change the table.
      ['rebuild-statistics', ['--chek'], /^error: unknown option '--chek'\n\(Did you mean --check\?\)/m],
      ['verify-decisions', ['leads'], /^error: too many arguments/m],
    ];
    await Promise.all(
      wrong.map(async ([script, parameters, reason]) => {
        const { code, errors } = await run(script, parameters);
        expect(errors).toMatch(reason);
        expect(errors).toContain(`\nUsage: npm run ${script} -- `);
        expect(code).toBe(2);
      }),
    );
  });

  it('answers --help and ends with 0', async () => {
    // As npm runs it.
    const { code, output } = await start(['--import', 'tsx', 'scripts/admins.ts', '--help'], {});
    expect(output).toMatch(/^Usage: npm run admins -- /);
    expect(code).toBe(0);
  });

  it('says in one line that there is no such table', async () => {
    const { code, errors } = await run('admins', ['list'], {
      TABLE_NAME: 'nowhere',
      DYNAMODB_ENDPOINT: String(cloud.environment.DYNAMODB_ENDPOINT),
    });
    expect(errors).toMatch(/^ResourceNotFoundException: .*$/m);
    expect(code).toBe(1);
  });
});

describe('npm run admins', () => {
  it('adds, resets, lists and removes while the product runs', async () => {
    const added = await run('admins', ['add', 'maria']);
    const [, password = ''] = /the password is (\S+)/.exec(added.output) ?? [];
    await new Client(cloud.url).logIn({ username: 'maria', password });

    expect(await run('admins', ['reset', 'maria'], { ADMIN_PASSWORD: 'short' })).toMatchObject({
      code: 1,
      errors: line('ADMIN_PASSWORD is too short: at least 12 characters, please.'),
    });
    await run('admins', ['reset', 'maria'], { ADMIN_PASSWORD: 'a new password of her own' });
    await expect(new Client(cloud.url).logIn({ username: 'maria', password })).rejects.toThrow(/401/);
    await new Client(cloud.url).logIn({ username: 'maria', password: 'a new password of her own' });

    expect((await run('admins', ['list'])).output).toMatch(/^admin {2}since .*\nmaria {2}since .*\n$/);
    expect(await run('admins', ['remove', 'maria'])).toMatchObject({ code: 0, output: 'Removed maria\n' });
    expect(await run('admins', ['remove', 'admin'])).toMatchObject({
      code: 1,
      errors: line('admin is the last admin: add another one first.'),
    });
  });
});
