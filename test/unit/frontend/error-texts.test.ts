/** Default error texts, which are shown where the server says nothing of its own. Browser tests see each of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FAILED, TROUBLE } from '#frontend/admin/texts';
import { de } from '#frontend/buyer/messages';

const FRONTEND = join(import.meta.dirname, '..', '..', '..', 'frontend', 'src');

it('are all in use', () => {
  const code = readdirSync(FRONTEND, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(join(FRONTEND, file), 'utf8'))
    .join('\n');
  for (const name of Object.keys(FAILED)) expect(code).toContain(`'${name}'`);
  for (const name of Object.keys(TROUBLE)) expect(code).toContain(`TROUBLE.${name}`);
  for (const name of Object.keys(de.failed)) expect(code).toMatch(new RegExp(`failed\\.${name}\\b`));
});
