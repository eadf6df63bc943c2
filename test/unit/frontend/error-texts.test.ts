/** The catalogue of default error texts: what people are told when the server says nothing of its own. Browser tests see each. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLAIMS_FAILED } from '#frontend/admin/claim-texts';
import { FAILED } from '#frontend/admin/texts';
import { de } from '#frontend/buyer/messages';

const CATALOGUE = [
  'Failed to load data',
  'Failed to load dashboard statistics',
  'Failed to load buyers',
  'Failed to load ineligible leads',
  'Failed to update buyer {id}',
  'Failed to edit buyer',
  'Failed to update order limit',
  'Failed to delete buyer',
  'Failed to add buyer',
  'Failed to create order',
  'Failed to update order',
  'Failed to regenerate token',
  'Failed to delete order',
  'Failed to restore order',
  'Failed to update comments',
  'Failed to discard lead',
  'Failed to assign lead',
  'Failed to load leads',
  'Failed to submit claim',
  'Failed to delete lead',
  'Failed to update lead',
  'Failed to fetch claims',
  'Failed to fetch buyers',
  'Failed to fetch orders',
  'Failed to fetch pending claims',
  'Fehler beim Abrufen der Reklamationsdetails',
  'Failed to approve claim',
  'Failed to reject claim',
  'Failed to submit lead',
  'Failed to fetch buyer statistics',
  'Failed to load API settings',
  'Failed to save settings',
  'Failed to load email templates',
  'Failed to create email template',
  'Failed to update email template',
  'Failed to delete email template',
  'Failed to load Pushover template',
  'Failed to save Pushover template',
  'Failed to add Pushover credentials',
  'Failed to update Pushover credentials',
  'Failed to delete Pushover credentials',
  'Login failed',
  'Logout failed',
];

const FRONTEND = join(import.meta.dirname, '..', '..', '..', 'frontend', 'src');
const BROWSER_TESTS = join(import.meta.dirname, '..', '..', 'e2e');

const read = (folder: string, endings: RegExp) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => endings.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');

describe('the default error texts', () => {
  it('are all in use', () => {
    const code = read(FRONTEND, /\.tsx?$/);
    for (const name of Object.keys(FAILED)) expect(code).toContain(`FAILED.${name}`);
    for (const name of Object.keys(CLAIMS_FAILED)) expect(code).toContain(`CLAIMS_FAILED.${name}`);
    for (const name of Object.keys(de.failed)) expect(code).toMatch(new RegExp(`failed\\.${name}\\b`));
  });

  it('are each seen by a test in the browser', () => {
    const tests = read(BROWSER_TESTS, /\.test\.ts$/)
      // Spelled with the name of the button.
      .replace(
        'Failed to ${action.toLowerCase()} claim',
        "'Failed to approve claim' 'Failed to reject claim'",
      );
    const unseen = CATALOGUE.filter((text) => !new RegExp(`'${text.replace('{id}', '\\w+')}'`).test(tests));
    expect(unseen).toEqual([]);
  });
});
