/** `npm run size` */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';

const LONG = 300;

const sourceFiles = execFileSync('git', [
  'ls-files',
  '-co',
  '--exclude-standard',
  '*.ts',
  '*.tsx',
  '*.js',
  '*.css',
])
  .toString()
  .trim()
  .split('\n');

/** Without blank lines, comments and imports. */
function codeLines(file: string): number {
  const text = readFileSync(file, 'utf8');
  const code = file.endsWith('.css') ? text.replaceAll(/\/\*[\s\S]*?\*\//gu, '') : withoutImports(file, text);
  return code.split('\n').filter((line) => line.trim() !== '').length;
}

function withoutImports(file: string, text: string): string {
  const { comments, program } = parseSync(file, text);
  return [...comments, ...program.body.filter(({ type }) => type === 'ImportDeclaration')].reduce(
    (rest, { start, end }) =>
      rest.slice(0, start) + rest.slice(start, end).replaceAll(/[^\n]/gu, ' ') + rest.slice(end),
    text,
  );
}

const isTest = (file: string) => file.startsWith('test/');
const product = sourceFiles.filter((file) => !isTest(file)).map(codeLines);
const tests = sourceFiles.filter(isTest).map(codeLines);
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

const figures = [
  { what: 'code lines of the product', seen: sum(product), limit: 76_650 },
  { what: 'code lines of the tests', seen: sum(tests), limit: 62_250 },
  {
    what: `files of the product over ${LONG} code lines`,
    seen: product.filter((lines) => lines > LONG).length,
    limit: 13,
  },
];
const report = figures.map(
  ({ what, seen, limit }) => `${what}: ${seen} of at most ${limit}${seen > limit ? '  EXCEEDED' : ''}`,
);
process.stdout.write(`${report.join('\n')}\n`);
if (figures.some(({ seen, limit }) => seen > limit)) process.exitCode = 1;
