/** Parts of documents that a command writes. */
import { readFileSync, writeFileSync } from 'node:fs';

const END = '<!-- end -->';

/**
 * Replaces what stands in a document between the comment that names the command and the next `<!-- end -->`.
 * @param name of the npm script, whose option `--write` this is
 * @throws Error when the document has no such part
 */
export function writeGenerated(file: string, name: string, text: string): void {
  const begin = `<!-- npm run ${name} -- --write -->`;
  const document = readFileSync(file, 'utf8');
  const from = document.indexOf(begin);
  const to = document.indexOf(END, from);
  if (from < 0 || to < 0) throw new Error(`${file} has no part for npm run ${name}`);
  writeFileSync(file, `${document.slice(0, from + begin.length)}\n\n${text}\n\n${document.slice(to)}`);
}
