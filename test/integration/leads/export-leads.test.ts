import { describe, expect } from 'vitest';
import * as XLSX from 'xlsx';
import { createS3FileStore } from '#functions/exports/s3-file-store';
import { systemRuntime } from '#functions/platform/runtime';
import { aLeadRequest } from '#test/factories/people';
import { openOrder } from '#test/harness/cloud';
import { cloudOfFile, itOnEngine as it } from '#test/harness/fixtures';
import { ON_EMULATOR } from '#test/harness/other-engine';

const cloud = cloudOfFile(it);
let token = '';
it.beforeAll(async () => {
  const { admin } = cloud;
  const lead = aLeadRequest({ vorname: 'Änne', anlagebetrag: '12.500,50' });
  await admin.ok('createLead', { body: { ...lead, nachname: 'Wartend' } });
  ({ token } = await openOrder(admin, { buyer_id: 'alpha', probability: 100 }, 1));
  await cloud.settled();
  await admin.ok('createLead', { body: { ...lead, nachname: 'Müller' } });
  await cloud.settled();
});

const nameOf = (disposition: string | null) =>
  decodeURIComponent(/filename\*=UTF-8''(.*)$/.exec(disposition ?? '')?.[1] ?? '');

describe('downloads of leads', () => {
  it.each([
    ['', 'xlsx', 'Leads Bestellung 1.xlsx'],
    ['/original', 'xlsx', 'Originalleads Bestellung 1.xlsx'],
    ['/reimbursement', 'csv', 'Ersatzleads Bestellung 1.csv'],
    ['', 'csv', 'Leads Bestellung 1.csv'],
  ])('give the list of a link%s as %s', async (part, format, filename) => {
    const answer = await fetch(`${cloud.url}/api/leads-view/${token}/export/${format}${part}`);
    expect(answer.status).toBe(200);
    expect(nameOf(answer.headers.get('content-disposition'))).toBe(filename);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (format === 'xlsx') {
      const book = XLSX.read(bytes);
      const rows = XLSX.utils.sheet_to_json<Record<string, unknown>>(book.Sheets[book.SheetNames[0]!]!);
      expect(rows).toMatchObject([{ 'Lead-Nr.': '1-1', Vorname: 'Änne', 'Anlagebetrag (€)': 12_500.5 }]);
    } else {
      expect(bytes.slice(0, 3)).toEqual(new Uint8Array([0xef, 0xbb, 0xbf]));
    }
  });

  // The emulator knows no key of the product's local client.
  it.skipIf(ON_EMULATOR)(
    'store a large file in object storage with an unguessable link for five minutes',
    async () => {
      const files = createS3FileStore(cloud.environment, systemRuntime);
      const content = new TextEncoder().encode('Köln;1\r\n'.repeat(900_000));
      const link = await files.keep({
        filename: 'Leads Bestellung 1 für Köln.csv',
        contentType: 'text/csv; charset=utf-8',
        content,
      });
      const answer = await fetch(link);
      expect(answer.status).toBe(200);
      expect(nameOf(answer.headers.get('content-disposition'))).toBe('Leads Bestellung 1 für Köln.csv');
      expect((await answer.arrayBuffer()).byteLength).toBe(content.length);
      const { pathname, searchParams } = new URL(link);
      expect(pathname).toMatch(/exports\/[\w-]{43}$/);
      expect(searchParams.get('X-Amz-Expires')).toBe('300');
    },
  );
});
