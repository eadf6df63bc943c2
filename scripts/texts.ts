/**
 * `npm run texts [words]`: every text that a person reads, by app, with the place where it is written.
 * `npm run texts -- --repeats`: sentences that are in two files; exits with 1 if there is one.
 * See `docs/adr/0064-texts-next-to-their-use.md`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';

const APPS = {
  'admin app': ['frontend/src/admin', 'frontend/src/login'],
  'buyer page': ['frontend/src/buyer'],
  'specification page': ['frontend/src/specification', 'frontend/src/status'],
  'every page': ['frontend/src/app', 'frontend/src/ui', 'shared'],
  server: ['functions'],
  'command line': ['scripts', 'local'],
} as const;

/** Words from which a text counts as a sentence, which must not be repeated. */
const SENTENCE = 5;

interface Text {
  readonly app: string;
  readonly file: string;
  readonly place: string;
  readonly text: string;
}

function textsOf(file: string, app: string): Text[] {
  const code = readFileSync(file, 'utf8');
  const { program } = parseSync(file, code);
  const texts: Text[] = [];
  const add = (start: number, text: string) => {
    const line = code.slice(0, start).split('\n').length;
    texts.push({ app, file, place: `${file}:${line}`, text: text.replaceAll(/\s+/g, ' ').trim() });
  };
  new Visitor({
    Literal: ({ value, start }) => typeof value === 'string' && add(start, value),
    JSXText: ({ value, start }) => add(start, value),
    TemplateLiteral: ({ start, end }) => add(start, code.slice(start + 1, end - 1)),
  }).visit(program);
  return texts.filter(({ text }) => /^[A-ZÄÖÜ].*\p{L}{2}/u.test(text) && / /.test(text));
}

const texts = Object.entries(APPS).flatMap(([app, folders]) =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...folders])
    .toString()
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => textsOf(file, app)),
);

const wanted = process.argv.slice(2).join(' ').toLowerCase();
const repeats = texts.filter(
  ({ file, text }) =>
    text.split(' ').length >= SENTENCE && texts.some((other) => other.text === text && other.file !== file),
);
if (wanted === '--repeats') {
  for (const { place, text } of repeats) console.log(`${place}: ${text}`);
  if (repeats.length > 0) process.exitCode = 1;
} else {
  for (const { app, place, text } of texts)
    if (text.toLowerCase().includes(wanted)) console.log(`${app} | ${place} | ${text}`);
}
