/** `npm run prose`: finds long sentences and words to avoid (docs/adr/0064-texts-next-to-their-use.md). */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';
import * as z from 'zod/mini';

const MAX_WORDS = 30;

/** From an idiom, as a regular expression, to plain words. */
const plainWords = z
  .record(z.string(), z.string())
  .parse(JSON.parse(readFileSync('scripts/prose-words.json', 'utf8')));

/** Each on one line; code counts as one word. */
function blocksOf(markdown: string): string[] {
  return markdown
    .replaceAll(/^ *(```|~~~)[\s\S]*?^ *\1.*$|<!--[\s\S]*?-->/gm, '\n\n')
    .replaceAll(/`[^`]+`/g, 'Code')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\n(?= *(?:[-*|#]|\d+\.))/g, '\n\n')
    .split(/\n\s*\n|\|/)
    .map((block) => block.replaceAll(/\s+/g, ' ').trim());
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
const wordCount = (text: string) => text.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

const longIn = (blocks: readonly string[]) =>
  blocks
    .flatMap((block) => [...segmenter.segment(block)].map(({ segment }) => segment))
    .filter((sentence) => wordCount(sentence) > MAX_WORDS)
    .map((sentence) => `${wordCount(sentence)} words: ${sentence}`);

const dialectIn = (text: string) =>
  Object.entries(plainWords).flatMap(([dialect, instead]) => {
    const found = new RegExp(`\\b(?:${dialect})\\b`, 'i').exec(text)?.[0];
    return found === undefined ? [] : [`“${found}”: ${instead}`];
  });

function complaintsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  if (file.endsWith('.md')) {
    const blocks = blocksOf(text);
    return [...longIn(blocks), ...dialectIn(blocks.join('\n'))];
  }
  const comments = parseSync(file, text).comments.map(({ value }) => value.replaceAll(/\s+\*? */g, ' '));
  const titles = [...text.matchAll(/\b(?:describe|it|test)\b[^'\n]*\('([^']+)'/g)].map(([, title]) => title);
  return dialectIn([...comments, ...titles].join('\n'));
}

const complaints = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md', '*.ts', '*.tsx'])
  .toString()
  .trim()
  .split('\n')
  .flatMap((file) => complaintsOf(file).map((complaint) => `${file}: ${complaint}`));
for (const complaint of complaints) console.log(complaint);
if (complaints.length > 0) process.exitCode = 1;
