/** The documented commands exist. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const scripts = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts;

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];
/** npm's options are before ` -- `, the command's after it. */
const documented = documents.flatMap((file) =>
  [...read(file).matchAll(/npm run (?:--?\w+ )*([a-z][\w:-]*)((?:[^\n`#)|]|\\\n)*)/g)].map(
    ([, name = '', rest = '']) => ({
      file,
      name,
      options: rest.split(' -- ')[1]?.match(/--[a-z][\w-]*/g) ?? [],
    }),
  ),
);

it('exist, with the documented options', () => {
  expect(documented.length).toBeGreaterThan(60);
  const programOf = (name: string) => /(?:scripts|local|test)\/\S+\.ts/.exec(scripts[name] ?? '')?.[0];
  const unknown = documented.filter(({ name, options }) => {
    const program = programOf(name);
    return (
      !(name in scripts) ||
      (program !== undefined && options.some((option) => !read(program).includes(`'${option}`)))
    );
  });
  expect(unknown).toEqual([]);
});
