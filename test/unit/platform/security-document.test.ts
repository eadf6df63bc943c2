import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const document = readFileSync(join(ROOT, 'docs', 'security.md'), 'utf8');

it('names no test that is not there', () => {
  const named = [...document.matchAll(/`(test\/[^`]+\.ts)`/g)].map(([, file = '']) => file);
  expect(named.length).toBeGreaterThan(40);
  expect([...new Set(named)].filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

it('links to no document that is not there', () => {
  const linked = [...document.matchAll(/\]\((?!http)([^)]+)\)/g)].map(([, file = '']) => file);
  expect(linked.length).toBeGreaterThan(0);
  expect(linked.filter((file) => !existsSync(join(ROOT, 'docs', file)))).toEqual([]);
});
