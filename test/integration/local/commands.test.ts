/** Every command in `scripts/`, run as a process on one running product: effects, errors and exit codes. */
import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seal } from '#cdk/provisioning/sealed';
import { isAuditEntry } from '#functions/data/administration/audit-store';
import { everyShard, nameOf, sumsPut } from '#functions/data/statistics/sums';
import { keys } from '#functions/data/table/keys';
import type { Item } from '#functions/data/table/table';
import { aBuyerRequest } from '#test/factories/buyers';
import { aLeadRequest, people } from '#test/factories/people';
import { ADMIN, Client, openOrder, startTestCloud, type TestCloud } from '#test/harness/cloud';
import { runCommand } from '#test/harness/commands';

const SCRIPTS = join(import.meta.dirname, '..', '..', '..', 'scripts');

let folder: string;
let cloud: TestCloud;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lead-commands-'));
  cloud = await startTestCloud({ dataDir: join(folder, 'data') });
  for (const [buyer_id, probability, lead_limit] of [
    ['alpha', 60, 10],
    ['beta', 40, 5],
  ] as const)
    await openOrder(cloud.admin, { buyer_id, probability }, lead_limit);
  await cloud.admin.ok('createBuyer', { body: aBuyerRequest({ buyer_id: 'nobody', probability: 0 }) });
});
afterAll(async () => {
  await cloud.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a command on the running product's data folder. */
const run = (script: string, parameters: readonly string[] = [], environment: Record<string, string> = {}) =>
  runCommand(script, parameters, { DATA_DIR: join(folder, 'data'), ...environment });

/** @returns its ID */
const takeLead = async () => (await cloud.admin.ok('createLead', { body: aLeadRequest() })).lead_id;
const stored = async (wanted: (item: Item) => boolean) => {
  const found: Item[] = [];
  for await (const items of cloud.table.scan()) found.push(...items.filter(wanted));
  return found;
};
const keyOf = ({ pk, sk }: Item) => ({ pk: String(pk), sk: String(sk) });

/** The text on a separate line; the SDK may also warn that this version of Node is too old. */
const line = (text: string) =>
  expect.stringMatching(new RegExp(`^${text.replaceAll(/[.()]/g, '\\$&')}$`, 'm'));

describe('npm run leads', () => {
  const account = { ADMIN_USERNAME: ADMIN.username, ADMIN_PASSWORD: ADMIN.password };

  it('posts every line and counts assigned, pending and rejected leads', async () => {
    const file = join(folder, 'leads.jsonl');
    const leads = people(20).map((lead) => JSON.stringify({ ...lead, anlagebetrag: 50_000 }));
    await writeFile(file, [...leads, 'no json', '{"vorname":"Eva"}', ''].join('\n'));
    const { code, output } = await run('leads', [file, '--concurrency', '4'], account);
    expect(output).toMatch(/alpha\s+10\s/);
    expect(output).toMatch(/beta\s+5\s/);
    expect(output).not.toContain('nobody');
    expect(output).toMatch(/5 pending\n\s+5 {2}All orders have reached their lead limit/);
    expect(output).toMatch(/2 not accepted\n\s+line 21: not JSON\n\s+line 22: createLead: 400/);
    expect(code).toBe(1);
  });

  it('reports in one line why it cannot start', async () => {
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
  it('is built by the same function, with its name in the usage', async () => {
    const scripts = readdirSync(SCRIPTS).filter((file) => file.endsWith('.ts'));
    const commands = scripts.flatMap((file) => {
      const text = readFileSync(join(SCRIPTS, file), 'utf8');
      return text.includes('await run(') ? [{ name: file.replace('.ts', ''), text }] : [];
    });
    expect(commands.length).toBeGreaterThan(8);
    for (const { name, text } of commands)
      expect(text, name).toMatch(new RegExp(`\\bcommand\\(\\s*'${name}'`));
    const help = await run('leads', ['--help']);
    expect(help).toMatchObject({ code: 0, errors: '' });
    expect(help.output).toMatch(/^Usage: npm run leads -- /);
  });

  it('rejects invalid arguments with the reason and the usage, and ends with 2', async () => {
    const wrong: readonly [string, string[], RegExp][] = [
      [
        'leads',
        ['leads.jsonl', '--concurrency', 'many'],
        /^error: .* It must be a whole number, at least 1\./m,
      ],
      ['admins', ['ad', 'maria'], /^error: unknown command 'ad'/m],
      ['admins', ['add', ''], /^error: .* Letters, digits and . _ @ \+ - only, at most 64\./m],
      // If the option were ignored, the command would only compare.
      ['verify', ['--repare'], /^error: unknown option '--repare'\n\(Did you mean --repair\?\)/m],
      ['verify', ['leads'], /^error: .*'leads' is invalid.* Allowed choices are audit, /m],
      ['verify', ['decisions', '--repair'], /^error: decisions cannot be repaired$/m],
      ['verify', ['search', '--checkpoints', 'mails.txt'], /^error: --checkpoints needs the part audit$/m],
      ['erase-lead', [], /^error: name a lead, or a list with --from$/m],
      ['preflight', ['nowhere'], /^error: .*'nowhere' is invalid.* Allowed choices are dev, prod/m],
      ['seed', ['--leads', '0'], /^error: .* It must be a whole number, at least 1\./m],
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

  it('reports in one line that the table does not exist', async () => {
    const { code, errors } = await run('admins', ['list'], {
      TABLE_NAME: 'nowhere',
      DYNAMODB_ENDPOINT: String(cloud.environment.DYNAMODB_ENDPOINT),
    });
    expect(errors).toMatch(/^ResourceNotFoundException: .*$/m);
    expect(code).toBe(1);
  });
});

it('npm run admins adds, resets, lists and removes while the product runs', async () => {
  const added = await run('admins', ['add', 'maria']);
  const [, password = ''] = /the password is (\S+)/.exec(added.output) ?? [];
  await new Client(cloud.url).logIn({ username: 'maria', password });

  expect(await run('admins', ['reset', 'maria'], { ADMIN_PASSWORD: 'short' })).toMatchObject({
    code: 1,
    errors: line('ADMIN_PASSWORD needs at least 12 characters.'),
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

describe('npm run erase-lead', () => {
  const isErased = async (leadId: string) => {
    const { lead } = await cloud.admin.ok('getLead', { params: { leadId } });
    expect(lead.vorname === '').toBe(lead.email === '');
    return lead.vorname === '';
  };

  it('erases the given leads, and reports unknown ones', async () => {
    const [named, other] = [await takeLead(), await takeLead()];
    const { code, output, errors } = await run('erase-lead', [named, 'nobody']);
    expect(output).toBe(`${named}: erased\n1 of 2 leads erased\n`);
    expect(errors).toEqual(line('nobody: Lead not found'));
    expect(code).toBe(1);
    expect(await Promise.all([named, other].map(isErased))).toEqual([true, false]);
  });

  it('erases every line of the lists with any line ends, and reports unreadable lines', async () => {
    const [first, second, third, last, elsewhere, other] = await Promise.all(
      Array.from({ length: 6 }, takeLead),
    );
    const lineOf = (...lead_ids: unknown[]) => JSON.stringify({ erasure_id: 'one', lead_ids });
    const list = join(folder, 'erased.jsonl');
    await writeFile(
      list,
      `${lineOf(first, second)}\r\n\n  \n{"lead_ids":["${other}"\n${lineOf(third)}\n{"lead_id":"${other}"}\n${lineOf(last)}`,
    );
    const object = join(folder, 'object.json');
    await writeFile(object, lineOf(elsewhere, first));
    const { code, output, errors } = await run('erase-lead', ['--from', list, object]);
    expect(errors).toEqual(line(`${list}, line 4: no list of erased leads`));
    expect(errors).toEqual(line(`${list}, line 6: no list of erased leads`));
    expect(output).toBe(
      `${[first, second, third, last, elsewhere].map((lead) => `${lead}: erased\n`).join('')}5 of 5 leads erased\n`,
    );
    expect(code).toBe(1);
    expect(
      await Promise.all([first, second, third, last, elsewhere, other].map((lead) => isErased(String(lead)))),
    ).toEqual([true, true, true, true, true, false]);
    expect((await run('erase-lead', ['--from', object])).code).toBe(0);
  });

  it('reads the product’s own list of erasures', async () => {
    const lead_id = await takeLead();
    await cloud.admin.ok('beginErasure', { body: { lead_ids: [lead_id] } });
    await cloud.settled();
    const { code, output } = await run('erase-lead', ['--from', join(folder, 'data', 'erased.jsonl')]);
    expect(output).toContain(`${lead_id}: erased\n`);
    expect(code).toBe(0);
  });

  it('erases nothing if a list is missing or empty', async () => {
    const lead_id = await takeLead();
    const empty = join(folder, 'empty.jsonl');
    await writeFile(empty, '\n');
    for (const [list, reason] of [
      ['nothing.jsonl', 'nothing.jsonl cannot be read (ENOENT).'],
      [empty, `${empty} names no lead.`],
    ] as const)
      expect(await run('erase-lead', [lead_id, '--from', list])).toMatchObject({
        code: 1,
        errors: line(reason),
      });
    expect(await isErased(lead_id)).toBe(false);
  });
});

describe('npm run verify', () => {
  it('replacements finds a balance that differs from its entries', async () => {
    expect(await run('verify', ['replacements'])).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^3 buyers, 2 orders, 0 entries: 0 discrepancies\n$/),
    });
    const [buyer] = await stored(({ buyer_id, pk }) => buyer_id === 'nobody' && pk === keys.buyers());
    await cloud.table.put({ put: { ...buyer, ...keyOf(buyer ?? {}), balance_count: 2 } });
    const { code, output } = await run('verify', ['replacements']);
    await cloud.table.put({ put: { ...buyer, ...keyOf(buyer ?? {}) } });
    expect(output).toMatch(/^balance of buyer 3: 2, the entries add up to 0$/m);
    expect(code).toBe(1);
  });

  it('decisions finds a decision that contradicts the rule', async () => {
    await takeLead();
    expect(await run('verify', ['decisions'])).toMatchObject({
      code: 0,
      output: expect.stringContaining(' decisions agree, 0 do not;'),
    });
    const [decision] = await stored(({ sk, winner }) => sk === 'DECISION' && winner !== undefined);
    await cloud.table.put({ put: { ...decision, ...keyOf(decision ?? {}), winner: 3 } });
    const { code, output } = await run('verify', ['decisions']);
    await cloud.table.put({ put: { ...decision, ...keyOf(decision ?? {}) } });
    expect(output).toMatch(/: buyer 3 is named, the rule chooses /);
    expect(code).toBe(1);
  });

  it('audit finds a changed entry, and requires a list with a checkpoint', async () => {
    await cloud.advance(10 * 60_000);
    expect(await run('verify', ['audit'])).toMatchObject({
      code: 0,
      output: expect.stringMatching(/; 0 findings\. .*; 1 of 1 checkpoints stored outside agree\n$/),
    });
    const [entry] = await stored((item) => isAuditEntry(item) && item.who === ADMIN.username);
    await cloud.table.put({ put: { ...entry, ...keyOf(entry ?? {}), who: 'eve' } });
    const { code, output } = await run('verify', ['audit']);
    await cloud.table.put({ put: { ...entry, ...keyOf(entry ?? {}) } });
    expect(output).toMatch(/^entry (?:AUDIT|ACCESS)#.* by eve\): was changed$/m);
    expect(code).toBe(1);
    expect(await run('verify', ['audit', '--checkpoints', 'nothing.txt'])).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^nothing\.txt cannot be read \(ENOENT\)\.$/m),
    });
  });

  it('statistics reports differences, and corrects them on request', async () => {
    await cloud.settled();
    const totals = (await everyShard({ table: cloud.table })).get(nameOf.totals())?.[0];
    const actual = totals?.value.get('assigned') ?? 0;
    await cloud.table.put(
      sumsPut({ ...totals!, value: new Map([...totals!.value, ['assigned', actual + 1]]) }),
    );
    const checked = await run('verify', ['statistics']);
    expect(checked.output).toEqual(line(`totals assigned: stored ${actual + 1}, actual ${actual}`));
    expect(checked.output).toMatch(/; 1 differences, 0 repaired$/m);
    expect(checked.code).toBe(1);
    const repaired = await run('verify', ['statistics', '--repair']);
    expect(repaired.output).toMatch(/; 1 differences, 1 repaired$/m);
    expect(repaired.code).toBe(0);
    expect(await run('verify', ['statistics'])).toMatchObject({
      code: 0,
      output: expect.stringMatching(/; 0 differences, 0 repaired$/m),
    });
  });

  it('search restores the words of a lead', async () => {
    const lead_id = await takeLead();
    await cloud.settled();
    const wordsOfLead = () =>
      stored(({ pk, sk }) => String(pk).startsWith('WORD#') && String(sk).endsWith(lead_id));
    const words = await wordsOfLead();
    expect(words.length).toBeGreaterThan(3);
    for (const word of words) await cloud.table.delete({ delete: keyOf(word) });
    await cloud.table.delete({ delete: keys.counted(lead_id) });
    const { code, output } = await run('verify', ['search', '--repair']);
    expect(output).toMatch(
      /^\d+ leads, 1 of them indexed again; 0 claims, 0 with outdated words, 0 corrected$/m,
    );
    expect(code).toBe(0);
    expect((await wordsOfLead()).map(keyOf)).toEqual(words.map(keyOf));
  });
});

it('npm run open-keys decrypts the copy of the keys with its private key only', async () => {
  const pair = () =>
    generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
  const [own, other] = [pair(), pair()];
  const [ownFile, otherFile] = [join(folder, 'own.pem'), join(folder, 'other.pem')];
  await writeFile(ownFile, own.privateKey);
  await writeFile(otherFile, other.privateKey);
  const refused = (reason: string) => ({ code: 1, output: '', errors: line(reason) });
  expect(await run('open-keys', [ownFile])).toMatchObject(refused('The table contains no copy of the keys'));
  const sealed = await seal('{"some":"keys"}', own.publicKey);
  await cloud.table.put({ put: { ...keys.keysCopy(), sealed } });
  expect(await run('open-keys', [ownFile])).toMatchObject({ code: 0, output: '{"some":"keys"}\n' });
  expect(await run('open-keys', [otherFile])).toMatchObject(
    refused('This private key does not open the copy'),
  );
});

describe('commands without a running product', () => {
  it('npm run preflight reports first that a login is required', async () => {
    // The command lines of AWS and GitHub are not available.
    const { code, output } = await run('preflight', ['prod'], { PATH: folder });
    expect(output).toMatch(/^- No credentials: log in with the AWS CLI/m);
    expect(code).toBe(1);
  });

  it('npm run seed creates a data set once, and npm run costs measures a lead', async () => {
    const DATA_DIR = join(folder, 'seeded');
    const sizes = ['--buyers', '3', '--orders', '4', '--leads', '5'];
    const [seeded, costs] = await Promise.all([
      run('seed', sizes, { DATA_DIR }),
      run('costs', ['--leads', '3']),
    ]);
    expect(seeded.output).toContain(`items in ${join(DATA_DIR, 'table.db')}`);
    expect(seeded.code).toBe(0);
    expect(await run('verify', ['decisions'], { DATA_DIR })).toMatchObject({ code: 0 });
    expect(await run('seed', sizes, { DATA_DIR })).toMatchObject({
      code: 1,
      errors: line(`${join(DATA_DIR, 'table.db')} already exists: choose another DATA_DIR or delete it.`),
    });
    expect(costs.output).toMatch(/^\| received and assigned \| \d+\.\d write, /m);
    expect(costs.output).toMatch(/^\| 10,000,000 \|/m);
    expect(costs.code).toBe(0);
  });
});
