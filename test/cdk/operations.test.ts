/** Everything in docs/operations exists: commands, functions, queues, outputs, files and graphs. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CfnOutput } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#cdk/bundling';
import { FUNCTION_SPECS, FUNCTIONS, WRITING } from '#functions/platform/functions';
import { cdkCommands, readByCdk } from '#test/cdk/command-line';
import { type Json, ofType, synthesise } from '#test/cdk/synthesise';

const FOLDER = 'docs/operations';
const pages = readdirSync(join(ROOT, FOLDER), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => ({ page: join(FOLDER, file), text: readFileSync(join(ROOT, FOLDER, file), 'utf8') }));

/** Every match of the first group, with its page. */
const named = (pattern: RegExp) =>
  pages.flatMap(({ page, text }) => [...text.matchAll(pattern)].map((match) => `${page}: ${match[1] ?? ''}`));
const nameIn = (entry: string) => entry.slice(entry.indexOf(': ') + 2);

const { resources, edge, stage } = synthesise('prod');
const isWriting = (action: string) => WRITING.some((one) => one === action);
const PREFIX = 'lead-distribution-prod';
const namesOf = (type: string, property: string) =>
  ofType(resources, type).map(([, { Properties }]) => String(Properties[property]));
const withoutPrefix = (names: readonly string[]) => names.map((name) => name.replace(`${PREFIX}-`, ''));
const functions = withoutPrefix(namesOf('AWS::Lambda::Function', 'FunctionName'));
const queues = withoutPrefix(namesOf('AWS::SQS::Queue', 'QueueName'));
const outputs = stage.product.node.children
  .filter((child) => child instanceof CfnOutput)
  .map((child) => child.node.id);

describe('docs/operations', () => {
  it.each<[string, RegExp, readonly string[]]>([
    [
      'log groups',
      /\/aws\/lambda\/lead-distribution-<stage>-(<?[a-z-]+>?)/g,
      [...functions, '<function>', '<worker>'],
    ],
    ['functions', /--function-name lead-distribution-<stage>-(<?[a-z-]+>?)/g, [...functions, '<queue>']],
    ['queues', /(?:queue|queue-name)\s+`?lead-distribution-<stage>-([a-z-]+)/g, queues],
    ['outputs', /outputs? `?([A-Z][A-Za-z]+)/g, outputs],
    ['outputs of a command', /<([A-Z][A-Za-z]+)>/g, outputs],
  ])('mentions only existing %s', (_, pattern, known) => {
    const found = named(pattern);
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((entry) => !known.includes(nameIn(entry)))).toEqual([]);
  });

  it('gives the CDK only arguments that its command line understands', async () => {
    const commands = [...new Set(pages.flatMap(({ page }) => cdkCommands(page)))];
    expect(commands.length).toBeGreaterThan(5);
    const read = await Promise.all(
      commands.map(async (command) => [command, await readByCdk(command)] as const),
    );
    expect(read.filter(([, { complaints }]) => complaints.length > 0)).toEqual([]);
  });

  it('mentions only existing functions in every loop', () => {
    const listed = named(/for f in ([a-z -]+); do/g).flatMap((entry) => nameIn(entry).split(' '));
    expect(functions).toEqual(expect.arrayContaining(listed));
  });

  it('stops every writing function before a restored table takes over', () => {
    const text = pages.find(({ page }) => page.endsWith('restore-table.md'))?.text ?? '';
    const lists = [...text.matchAll(/^for f in ([a-z: -]+); do$/gm)].map(([, list = '']) => list.split(' '));
    const writing = FUNCTIONS.filter((name) =>
      FUNCTION_SPECS[name].table.some((action) => isWriting(action)),
    );
    const [calls = [], workers = [], ...undone] = lists;
    expect([...calls, ...workers].map((name) => name.replace(':live', '')).toSorted()).toEqual(
      writing.toSorted(),
    );
    expect(undone).toEqual([calls, workers]);
    // A mapping belongs to its function or alias.
    const started = ofType(resources, 'AWS::Lambda::EventSourceMapping').map(([, { Properties }]) =>
      JSON.stringify(Properties.FunctionName),
    );
    for (const worker of workers) {
      const part = worker.endsWith(':live') ? `Live${worker.replace(':live', '')}Alias` : `Function${worker}`;
      expect(
        started.some((name) => name.includes(part)),
        worker,
      ).toBe(true);
    }
  });

  it('counts the billed alarms', () => {
    const alarms = [resources, edge?.toJSON().Resources ?? {}].flatMap((of) =>
      ofType(of, 'AWS::CloudWatch::Alarm'),
    );
    const metrics = alarms.flatMap(([, { Properties }]) =>
      (Properties.Metrics ?? [{ MetricStat: {} }]).filter(({ MetricStat }: Json) => MetricStat !== undefined),
    );
    const secrets = ofType(resources, 'AWS::SecretsManager::Secret');
    for (const file of ['docs/operations/costs.md', 'scripts/costs.ts']) {
      const text = readFileSync(join(ROOT, file), 'utf8');
      expect(text, file).toContain(`alarms (${alarms.length}, which watch ${metrics.length} metrics)`);
      expect(text, file).toContain(`secrets (${secrets.length})`);
    }
  });

  it('mentions only existing saved queries', () => {
    const saved = withoutPrefix(namesOf('AWS::Logs::QueryDefinition', 'Name')).map((name) =>
      name.split('/').at(-1),
    );
    const found = named(/saved query `([a-z-]+)`/g).map(nameIn);
    expect(new Set(found)).toEqual(new Set(saved));
  });

  it('mentions only existing graphs of the dashboard', () => {
    const dashboard = JSON.stringify(ofType(resources, 'AWS::CloudWatch::Dashboard'));
    const found = named(/graph "([^"]+)"/g);
    expect(found.length).toBeGreaterThan(0);
    for (const entry of found) expect(dashboard, entry).toContain(nameIn(entry));
  });

  it('links only to existing files', () => {
    const missing = pages.flatMap(({ page, text }) =>
      [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)]
        .map(([, target]) => join(dirname(page), (target ?? '').trim()))
        .filter((target) => !existsSync(join(ROOT, target))),
    );
    expect(missing).toEqual([]);
    const files = named(/`((?:cdk|test|functions|scripts|docs)\/[a-z0-9/.-]+\.[a-z]+)`/g);
    expect(files.length).toBeGreaterThan(0);
    for (const entry of files) expect(existsSync(join(ROOT, nameIn(entry))), entry).toBe(true);
  });
});
