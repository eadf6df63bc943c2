/** Everything referenced in the documents exists. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const DOCUMENTS = [
  ...readdirSync(ROOT),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((file) => `docs/${file}`),
]
  .filter((file) => file.endsWith('.md'))
  .sort();
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const isThere = (file: string) => existsSync(join(ROOT, file));

/** GitHub's anchor for a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

const anchorsIn = (file: string) =>
  new Set([...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)));

function leadsNowhere(document: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const file = path === '' ? document : normalize(join(dirname(document), path));
  if (!isThere(file)) return true;
  return anchor !== undefined && file.endsWith('.md') && !anchorsIn(file).has(anchor);
}

/** The pattern's matches in all documents, with their document. */
const found = (pattern: RegExp) =>
  DOCUMENTS.flatMap((document) =>
    [...read(document).matchAll(pattern)].map(([, text = '']) => ({ document, text })),
  );

it('have no broken links', () => {
  const links = found(/\]\((?!\w+:)([^)\s]+)\)/g);
  expect(links.length).toBeGreaterThan(200);
  expect(links.filter(({ document, text }) => leadsNowhere(document, text))).toEqual([]);
});

it('refer only to existing tests', () => {
  const named = found(/`(test\/[\w./-]+\.tsx?)`/g);
  expect(named.length).toBeGreaterThan(70);
  expect(named.filter(({ text }) => !isThere(text))).toEqual([]);
});

const numbersIn = (text: string): readonly string[] => text.match(/\b\d(?:[\d.,]*\d)?/g) ?? [];

/** Text under the linked heading, or the whole document. */
const linesAt = (file: string, anchor: string | undefined) =>
  read(file)
    .split(/^#+ /m)
    .filter((part) => anchor === undefined || anchorOf(part.split('\n', 1)[0] ?? '') === anchor)
    .flatMap((part) => part.split('\n'));

/** A README link with a number is a figure; one line of the linked section must contain all its numbers. */
it('contain every figure of the README', () => {
  const figures = [...read('README.md').matchAll(/\[([^\]]*)\]\((docs\/[^)#]+)#?([^)]+)?\)/g)]
    .map(([, text = '', file = '', anchor]) => ({ text, file, anchor }))
    .filter(({ text }) => /\d/.test(text) && !text.startsWith('ADR'));
  expect(figures.length).toBeGreaterThan(10);
  const isMeasured = ({ text, file, anchor }: (typeof figures)[number]) =>
    linesAt(file, anchor)
      .map(numbersIn)
      .some((known) => numbersIn(text).every((number) => known.includes(number)));
  expect(figures.filter((figure) => !isMeasured(figure))).toEqual([]);
});
