/** Class names in style modules. The types allow any name, so an unknown class would silently style nothing. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const FRONTEND = join(import.meta.dirname, '..', '..', '..', 'frontend', 'src');
const files = readdirSync(FRONTEND, { recursive: true, encoding: 'utf8' });
const read = (file: string) => readFileSync(join(FRONTEND, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');

/** `Menu.module.css .entry` */
const namesIn = (module: string, text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, name]) => `${module} .${name}`);

it('every class that a component uses is defined, and every defined one is used', () => {
  const modules = files.filter((file) => file.endsWith('.module.css'));
  const defined = modules.flatMap((file) => namesIn(file, read(file), /\.([a-z]\w*)(?![\w-])/gi));
  const used = files.flatMap((file) => {
    const code = file.endsWith('.tsx') ? read(file) : '';
    return [...code.matchAll(/^import (\w+) from '(.+\.module\.css)';$/gm)].flatMap(([, alias, path = '']) =>
      namesIn(join(dirname(file), path), code, new RegExp(`\\b${alias}\\.(?!module\\b)(\\w+)`, 'g')),
    );
  });
  expect(used.length).toBeGreaterThan(100);
  expect(new Set(used)).toEqual(new Set(defined));
});
