import { readFileSync, writeFileSync } from 'node:fs';

const END = '<!-- end -->';

/** Replaces the text from the comment with the command's name to `<!-- end -->`. @throws Error without such a part */
export function writeGenerated(file: string, name: string, text: string): void {
  const begin = `<!-- npm run ${name} -- --write -->`;
  const document = readFileSync(file, 'utf8');
  const from = document.indexOf(begin);
  const to = document.indexOf(END, from);
  if (from < 0 || to < 0) throw new Error(`${file} has no part for npm run ${name}`);
  writeFileSync(file, `${document.slice(0, from + begin.length)}\n\n${text}\n\n${document.slice(to)}`);
}
