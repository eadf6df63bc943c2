import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ReplaceableProcess } from '#local/replaceable-process';

const folder = join(tmpdir(), `lead-replaceable-${randomUUID()}`);
const module = join(folder, 'module.mjs');
const code = join(folder, 'code.mjs');
const log = join(folder, 'log');
beforeAll(() => {
  mkdirSync(folder);
  writeFileSync(module, waiting);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Waits for the code, like `dev-process.ts`. */
const waiting = `process.once('message', () => import(${JSON.stringify(code)}));
  process.on('disconnect', () => process.exit());`;

/** Code that behaves like `dev-functions.ts` and logs when it serves. */
const write = (version: string, start = '') =>
  writeFileSync(
    code,
    `import { appendFileSync } from 'node:fs';
    const note = (what) => appendFileSync(${JSON.stringify(log)}, '${version} ' + what + '\\n');
    process.on('message', (message) => {
      if (message === 'start') { ${start} note('starts'); process.send('ready'); }
      if (message === 'stop') { note('ends'); process.exit(0); }
    });
    process.send('loaded');`,
  );

it('switches to each new version, and stays with the last working one', async () => {
  const events: string[] = [];
  const functions = new ReplaceableProcess({
    module,
    environment: {},
    onReplaced: () => events.push('replaced'),
    onEnded: () => events.push('ended'),
  });
  write('one');
  const started = functions.replace();
  // Requests during the first start wait for it.
  expect(await functions.isServing()).toBe(true);
  await started;

  write('two');
  await Promise.all([functions.replace(), functions.replace()]);
  expect(await functions.isServing()).toBe(true);

  writeFileSync(code, 'process.exit(1);');
  await functions.replace();
  expect(await functions.isServing()).toBe(true);
  expect(events).toEqual(['replaced']);

  write('three', 'process.exit(1);');
  await functions.replace();
  expect(await functions.isServing()).toBe(false);
  expect(events).toEqual(['replaced', 'ended']);

  write('four');
  await functions.replace();
  expect(await functions.isServing()).toBe(true);
  await functions.stop();
  expect(readFileSync(log, 'utf8').trim().split('\n')).toEqual([
    'one starts',
    'one ends',
    'two starts',
    'two ends',
    'four starts',
    'four ends',
  ]);
});

it('is not replaced before its requests are answered', async () => {
  rmSync(log, { force: true });
  const start = () =>
    new ReplaceableProcess({
      module,
      environment: {},
      answeredWithinMs: 120_000,
      onReplaced: () => {},
      onEnded: () => {},
    });
  const functions = start();
  write('one');
  await functions.replace();
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  expect(await functions.isServing(answered)).toBe(true);

  write('two');
  const replaced = functions.replace();
  // The time that another process needs to start and end.
  const other = start();
  await other.replace();
  await other.stop();
  appendFileSync(log, 'answered\n');
  answer();
  await replaced;
  await functions.stop();
  const events = readFileSync(log, 'utf8').trim().split('\n');
  expect(events.indexOf('answered')).toBeLessThan(events.indexOf('one ends'));
});
