import { describe, expect, it } from 'vitest';
import { countOutcomes, leadOf, outcomeOf } from '#frontend/admin/sources/import/lead-rows';
import { matchColumnHeaders } from '#frontend/admin/sources/import/match-column-headers';
import { decoded, readTable } from '#frontend/admin/sources/import/read-table';
import { resultFile } from '#frontend/admin/sources/import/result-file';
import { toXlsx } from '#shared/files/xlsx';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('the column headers of a file', () => {
  it.each([
    [
      [
        'Anrede',
        'Vorname',
        'Nachname',
        'E-Mail-Adresse',
        'Telefonnummer',
        'Anlagebetrag (EUR)',
        'Laufzeit (Monate)',
      ],
    ],
    [
      [
        'Salutation',
        'First Name',
        'Last name',
        'EMAIL',
        'phone_number',
        'Investment amount',
        'Term (months)',
      ],
    ],
    [['Geschlecht', 'first-name', 'Name', 'Mail', 'Handy', 'Betrag', 'Laufzeit in Monaten']],
  ])('are known in German and English: %s', (headers) => {
    expect(matchColumnHeaders(headers)).toEqual({
      anrede: 0,
      vorname: 1,
      nachname: 2,
      email: 3,
      telefon: 4,
      anlagebetrag: 5,
      laufzeit: 6,
    });
  });

  it('are about a consent only in a file that says when it was given', () => {
    expect(matchColumnHeaders(['Name', 'IP', 'Seite', 'Kanäle'])).toEqual({ nachname: 0 });
    expect(matchColumnHeaders(['IP', 'Einwilligung am', 'Kanäle', 'Wortlaut', 'Consent page'])).toEqual({
      consent_ip: 0,
      consent_given_at: 1,
      consent_channels: 2,
      consent_text: 3,
      consent_page_url: 4,
    });
  });

  it('map to the most likely field', () => {
    expect(matchColumnHeaders(['Name', 'Nachname', 'Klick-ID', 'Bemerkung'])).toEqual({
      nachname: 1,
      clickId: 2,
    });
  });
});

describe('a file', () => {
  it.each([
    ['UTF-8', bytes('Müller')],
    ['UTF-8 with a byte order mark', bytes('\ufeffMüller')],
    ['windows-1252', Uint8Array.of(0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72)],
    ['UTF-16', new Uint8Array([0xff, 0xfe, ...Buffer.from('Müller', 'utf16le')])],
    ['big-endian UTF-16', new Uint8Array([0xfe, 0xff, ...Buffer.from('Müller', 'utf16le').swap16()])],
  ])('is read as %s', (_, file) => {
    expect(decoded(file)).toBe('Müller');
  });

  it.each([
    ['a PNG', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]],
    ['an old XLS', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0, 0x0a, 0x41]],
  ])('is rejected as %s, not parsed as text', async (_, start) => {
    await expect(readTable(Uint8Array.from(start))).rejects.toThrow('This is neither CSV nor XLSX');
  });

  it.each([';', ',', '\t'])('has the detected separator %j', async (by) => {
    const lines = [
      ['Vorname', 'Nachname'],
      ['Käthe', `"Gr${by}oß"`],
      ['', ''],
      ['Jan', ' Klein '],
    ];
    const table = await readTable(bytes(lines.map((line) => line.join(by)).join('\r\n')));
    expect(table.headers).toEqual(['Vorname', 'Nachname']);
    expect(table.rows).toEqual([
      { number: 2, cells: ['Käthe', `Gr${by}oß`] },
      { number: 4, cells: ['Jan', 'Klein'] },
    ]);
    expect(table.hash).toMatch(/^[0-9a-f]{16}$/);
  });

  it('may be a workbook, with numbers in German format', async () => {
    const columns = [
      { header: 'Nachname', type: 'text', value: (row: { name: string }) => row.name },
      { header: 'Betrag', type: 'number', value: (row: { amount: number }) => row.amount },
    ] as const;
    const file = await toXlsx({ name: 'Leads', columns, rows: [{ name: 'Groß', amount: 25000.5 }] } as never);
    const table = await readTable(new Uint8Array(file));
    expect(table).toMatchObject({
      headers: ['Nachname', 'Betrag'],
      rows: [{ number: 2, cells: ['Groß', '25000,5'] }],
    });
  });

  it('may contain phone numbers as text, which stays unchanged', async () => {
    const columns = [
      { header: 'Telefon', type: 'text', value: (row: { phone: string }) => row.phone },
    ] as const;
    const phones = ['+491701234567', '+49 (0)170 1234567', '0170/1234567', '00431234567'];
    const rows = phones.map((phone) => ({ phone }));
    const table = await readTable(new Uint8Array(await toXlsx({ name: 'Leads', columns, rows } as never)));
    expect(table.rows.map((row) => leadOf(table, row, { telefon: 0 }).telefon)).toEqual(phones);
  });

  it.each([
    ['a German mobile number with its country code', 491701234567, '+491701234567'],
    ['a German landline number with its country code', 49301234567, '+49301234567'],
    ['an Austrian one', 436641234567, '+436641234567'],
    ['a Swiss one', 41791234567, '+41791234567'],
    ['a foreign number', 447911123456, '+447911123456'],
    ['a German mobile number without its zero', 1701234567, '01701234567'],
    ['a long one', 15112345678, '015112345678'],
    ['a landline number that begins like a country code', 4931123456, '04931123456'],
    ['one of Kiel', 431234567, '0431234567'],
  ])('may contain as a number %s', async (_, number, telefon) => {
    const columns = [{ header: 'Telefon', type: 'number', value: () => number }] as const;
    const table = await readTable(
      new Uint8Array(await toXlsx({ name: 'Leads', columns, rows: [{}] } as never)),
    );
    const [row] = table.rows;
    expect(row).toMatchObject({ cells: [String(number)] });
    expect(leadOf(table, row!, { telefon: 0 }).telefon).toBe(telefon);
    // Other columns contain numbers, not phone numbers.
    expect(leadOf(table, row!, { anlagebetrag: 0 }).anlagebetrag).toBe(String(number));
  });

  it.each([
    ['nothing', '', 'no rows'],
    ['its heads only', 'Vorname;Nachname\r\n', 'no rows'],
    ['half a workbook', 'PK\u0003\u0004', 'This XLSX file cannot be read'],
  ])('with %s is rejected', async (_, text, why) => {
    await expect(readTable(bytes(text))).rejects.toThrow(why);
  });
});

describe('a row', () => {
  it('has the ID of the file, and only non-empty fields', () => {
    const row = { number: 7, cells: ['männlich', '', '25.000,50'] };
    expect(leadOf({ hash: 'abc' }, row, { anrede: 0, vorname: 1, anlagebetrag: 2, laufzeit: 9 })).toEqual({
      external_id: 'abc:7',
      anrede: 'Herr',
      anlagebetrag: '25.000,50',
    });
  });

  it('shows its predicted outcome', () => {
    const test = { external_id: 'a:1', status: 'test' as const };
    expect(outcomeOf({ ...test, predicted_outcome: { status: 'assigned', buyer: 'kapital' } }).why).toBe(
      'To kapital',
    );
    expect(
      outcomeOf({ ...test, predicted_outcome: { status: 'pending', reason: 'limits_reached' } }).why,
    ).toBe('All orders have reached their lead limit or belong to buyers with probability 0%');
    expect(outcomeOf({ ...test, status: 'invalid', fields: { telefon: 'Required' } }).why).toBe(
      'Phone: Required',
    );
  });
});

it.each([
  ['24.11.2026 14:03', '2026-11-24T13:03:00.000Z'],
  ['1.7.2026, 9:05:30 Uhr', '2026-07-01T07:05:30.000Z'],
  ['24.11.2026', '2026-11-23T23:00:00.000Z'],
  // This hour exists twice.
  ['25.10.2026 02:30', '2026-10-25T00:30:00.000Z'],
  ['2026-11-24T14:03:00+01:00', '2026-11-24T14:03:00+01:00'],
  // It does not exist.
  ['29.03.2026 02:30', '29.03.2026 02:30'],
  ['31.02.2026 10:00', '31.02.2026 10:00'],
  ['gestern', 'gestern'],
])('the moment %j of a consent is in Berlin time', (text, instant) => {
  const row = { number: 2, cells: [text, 'Telefon / E-Mail'] };
  const lead = leadOf({ hash: 'h' }, row, { consent_given_at: 0, consent_channels: 1 });
  expect(lead).toMatchObject({ consent_given_at: instant, consent_channels: 'phone, email' });
});

it('the result file has rows and lead IDs, and no formulas', () => {
  const rows = [2, 3, 4].map((number) => ({ number, cells: [] }));
  const results = [
    { external_id: 'a:2', status: 'accepted' as const, lead_id: '01ARZ' },
    { external_id: 'a:3', status: 'invalid' as const, error: '=1+1' },
  ];
  expect(resultFile(rows, results)).toBe(
    '\ufeff"Row";"Status";"Lead ID";"Error"\r\n"2";"Imported";"01ARZ";""\r\n"3";"Invalid";"";"\'=1+1"\r\n',
  );
  expect(countOutcomes([...results, undefined])).toEqual([
    ['Imported', 1],
    ['Invalid', 1],
  ]);
});
