import { describe, expect, it } from 'vitest';
import * as XLSX from 'xlsx';
import { exportLeads, exportPending } from '#functions/api/common/exports';
import type { ConsentItem } from '#functions/data/leads/consent';
import type { Lead } from '#functions/data/leads/lead';
import type { ExportFile } from '#functions/exports/file-store';
import { toCsv } from '#shared/files/csv';
import type { Column, Sheet } from '#shared/files/sheet';
import { toXlsx } from '#shared/files/xlsx';
import { aLead } from '#test/factories/leads';
import { aPerson } from '#test/factories/people';

interface Row {
  readonly text: string | null;
  readonly number: number | null;
  readonly cents: number | null;
  readonly at: string | null;
}
const columns: readonly Column<Row>[] = [
  { header: 'Text', width: 10, type: 'text', value: ({ text }) => text },
  { header: 'Zahl', width: 10, type: 'number', value: ({ number }) => number },
  { header: 'Betrag (€)', width: 12, type: 'euro', value: ({ cents }) => cents },
  { header: 'Zeit', width: 18, type: 'date-time', value: ({ at }) => at },
];
const row = (changes: Partial<Row> = {}): Row => ({
  text: null,
  number: null,
  cents: null,
  at: null,
  ...changes,
});
const sheetOf = (...rows: Row[]): Sheet<Row> => ({ name: 'Liste', columns, rows });
const csvOf = async (...rows: Row[]) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(toCsv(sheetOf(...rows)));
const linesOf = async (...rows: Row[]) => (await csvOf(...rows)).split('\r\n');
/** The first cell of the first row as in the file, possibly with line breaks. */
const textCell = async (text: string) => {
  const csv = await csvOf(row({ text }));
  return csv.slice(csv.indexOf('\r\n') + 2, csv.lastIndexOf(';;;'));
};
const readBack = async (sheet: Sheet<Row>) => {
  const book = XLSX.read(await toXlsx(sheet), { cellNF: true });
  return { book, cells: book.Sheets[book.SheetNames[0]!]! };
};

describe('CSV for German Excel', () => {
  it('begins with a byte order mark and a header, and ends its lines with CRLF', async () => {
    const bytes = toCsv(sheetOf(row({ number: 1 })));
    expect(bytes.slice(0, 3)).toEqual(new Uint8Array([0xef, 0xbb, 0xbf]));
    expect(await linesOf(row({ number: 1 }))).toEqual([
      '\ufeff"Text";"Zahl";"Betrag (€)";"Zeit"',
      ';1;;',
      '',
    ]);
  });

  it('writes decimals with a comma and no thousands separator, even below zero', async () => {
    expect((await linesOf(row({ number: 1234.5, cents: 1_234_567 })))[1]).toBe(';1234,5;12345,67;');
    expect((await linesOf(row({ number: -5, cents: -1 })))[1]).toBe(';-5;-0,01;');
  });

  it.each([
    ['2026-01-15T11:05:00Z', '15.01.2026 12:05'],
    ['2026-07-15T11:05:00Z', '15.07.2026 13:05'],
    ['2026-03-29T00:59:59Z', '29.03.2026 01:59'],
    ['2026-03-29T01:00:00Z', '29.03.2026 03:00'],
    ['2025-12-31T23:30:00Z', '01.01.2026 00:30'],
  ])('shows %s in Berlin time: %s', async (at, shown) => {
    expect((await linesOf(row({ at })))[1]).toBe(`;;;${shown}`);
  });

  it.each([
    ['=1+1', `"'=1+1"`],
    ['+49 (0)170 HYPERLINK("x")', `"'+49 (0)170 HYPERLINK(""x"")"`],
    ['+4917012345', '"+4917012345"'],
    ['0170 1234', '"0170 1234"'],
    ['Müller', '"Müller"'],
  ])('escapes the formula %j and quotes it, so that no program evaluates it: %s', async (text, cell) => {
    expect(await textCell(text)).toBe(cell);
  });

  it('keeps separators, quotes and line breaks within their cell', async () => {
    expect((await linesOf(row({ text: 'a;b"c' })))[1]).toBe('"a;b""c";;;');
    expect((await linesOf(row({ text: ';=1+1' })))[1]).toBe('";=1+1";;;');
  });
});

describe('XLSX', () => {
  it('has typed cells with German formats under a header', async () => {
    const { cells } = await readBack(
      sheetOf(
        row({ text: '0170', number: 36, cents: 1_234_567, at: '2026-07-15T11:05:00Z' }),
        row({ number: 1.25 }),
      ),
    );
    expect(cells.A1).toMatchObject({ t: 's', v: 'Text' });
    expect(cells.A2).toMatchObject({ t: 's', v: '0170' });
    expect(cells.B2).toMatchObject({ t: 'n', v: 36, z: '#,##0' });
    expect(cells.B3).toMatchObject({ t: 'n', v: 1.25, z: '#,##0.00' });
    expect(cells.C2).toMatchObject({ t: 'n', v: 12_345.67, z: '#,##0.00 "€"' });
    expect(cells.D2).toMatchObject({ t: 'n', w: '15.07.2026 13:05' });
    expect(cells.D3).toBeUndefined();
  });

  it('has no formula and no characters that would damage the file', async () => {
    const { cells } = await readBack(
      sheetOf(row({ text: '=HYPERLINK("http://x")' }), row({ text: 'a\u0000b\u001fc\ud800' })),
    );
    expect(cells.A2).toMatchObject({ t: 's', v: '=HYPERLINK("http://x")' });
    expect(cells.A2.f).toBeUndefined();
    expect(cells.A3.v).toBe('abc\ufffd');
  });

  it('cuts text to the cell limit, and uses a sheet name that Excel allows', async () => {
    const { book, cells } = await readBack({
      ...sheetOf(row({ text: 'x'.repeat(40_000) })),
      name: 'Bestellung [1]/2: "sehr langer Name einer Liste"?',
    });
    expect(cells.A2.v).toHaveLength(32_767);
    expect(book.SheetNames[0]).toMatch(/^[^[\]:*?/\\]{1,31}$/);
  });
});

const consentOf = ({ lead_id }: Lead): ConsentItem => ({
  lead_id,
  recorded_at: '2026-05-14T07:00:00Z',
  person: JSON.stringify(aPerson()),
  consent: JSON.stringify({
    given_at: '2026-05-12T12:03:00Z',
    method: 'form',
    channels: ['phone'],
    text: 'hash',
  }),
});

const lead = (sequence: number, changes: Partial<Lead> = {}): Lead =>
  aLead({
    lead_id: `01J${String(sequence).padStart(23, '0')}`,
    sequence,
    email: 'erika@example.org',
    telefon: '+49170',
    anlagebetrag: 2_500_050,
    received_at: '2026-05-14T07:00:00Z',
    assigned_at: '2026-05-14T07:30:00Z',
    ...changes,
  });

const kept: ExportFile[] = [];
const deps = {
  files: {
    keep: async (file: ExportFile) => {
      kept.push(file);
      return 'https://files.example/1';
    },
  },
};
const textOf = (file: Awaited<ReturnType<typeof exportLeads>>) =>
  'content' in file ? new TextDecoder().decode(file.content) : '';

describe('the files of an order', () => {
  const leads = [
    lead(1),
    lead(2, { lead_type: 'reimbursement', claim_status: 'pending' }),
    lead(3, { claim_status: 'approved' }),
  ];
  const consents = new Map([[leads[0]!.lead_id, consentOf(leads[0]!)]]);

  it.each([
    [undefined, 'Leads Bestellung 3.csv', ['12-1', '12-2', '12-3']],
    ['original', 'Originalleads Bestellung 3.csv', ['12-1', '12-3']],
    ['reimbursement', 'Ersatzleads Bestellung 3.csv', ['12-2']],
  ] as const)('for part %s have the name %s', async (part, filename, numbers) => {
    const file = await exportLeads(deps, { consents, number: 3, leads, format: 'csv', part });
    expect(file).toMatchObject({ filename, contentType: 'text/csv; charset=utf-8' });
    const lines = textOf(file).split('\r\n').slice(1, -1);
    expect(lines.map((line) => line.split(';')[0])).toEqual(numbers.map((number) => `"${number}"`));
  });

  it('show type, claim and consent in German', async () => {
    const lines = textOf(await exportLeads(deps, { consents, number: 3, leads, format: 'csv' })).split(
      '\r\n',
    );
    expect(lines[1]).toBe(
      '"12-1";14.05.2026 09:30;"Frau";"Erika";"Muster";"erika@example.org";"+49170";25000,50;24;"Original";;"12.05.2026, 14:03 Uhr, Formular"',
    );
    expect(lines[2]).toMatch(/"Ersatz";"In Prüfung";$/);
    expect(lines[3]).toMatch(/"Original";"Genehmigt";$/);
  });

  it('have only a header without leads', async () => {
    const file = await exportLeads(deps, { consents, number: 3, leads: [], format: 'xlsx' });
    if (!('content' in file)) throw new Error('The file is small');
    expect(file.filename).toBe('Leads Bestellung 3.xlsx');
    const book = XLSX.read(file.content);
    expect(XLSX.utils.sheet_to_json(book.Sheets[book.SheetNames[0]!]!, { header: 1 })).toHaveLength(1);
  });

  it('of 50,000 leads are stored complete in object storage', async () => {
    const many = Array.from({ length: 50_000 }, (_, at) =>
      lead(at + 1, { email: `person${at}@example.org` }),
    );
    const answer = await exportLeads(deps, { consents, number: 3, leads: many, format: 'csv' });
    expect(answer).toEqual({ location: 'https://files.example/1' });
    const file = kept.at(-1)!;
    expect(file.filename).toBe('Leads Bestellung 3.csv');
    expect(new TextDecoder().decode(file.content).split('\r\n')).toHaveLength(50_002);
  });
});

it('the pending leads as a file are in English, with the reason and the intended buyer', async () => {
  const pending = lead(1, { status: 'pending', reason: 'manual_review', intended_buyer: 7, src: '=cmd' });
  const file = await exportPending(deps, {
    leads: [pending],
    buyerIds: new Map([[7, 'alpha']]),
    consents: new Map([[pending.lead_id, consentOf(pending)]]),
    format: 'csv',
  });
  expect(file).toMatchObject({ filename: 'Pending Leads.csv' });
  const [heads, row] = textOf(file).replaceAll('"', '').split('\r\n');
  expect(heads).toMatch(
    /Received \(Berlin\);Reason;Meant for;Salutation;First name;Last name;Email;Phone;Investment amount \(€\);Term \(months\);Source;Click ID;System ID;Consent$/,
  );
  expect(row).toMatch(/^14\.05\.2026 09:00;Manual review;alpha;.*'=cmd;.*;12\.05\.2026, 14:03, form$/);
});
