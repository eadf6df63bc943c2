/** The rows of a file: CSV in the encodings of German spreadsheets, or XLSX. */
import { unzipSync, zipSync } from 'fflate';
import { parse } from 'papaparse';
import { readSheet } from 'read-excel-file/web-worker';

export interface FileRow {
  /** The spreadsheet's row number; the header is row 1. */
  readonly number: number;
  readonly cells: readonly string[];
}

export interface FileTable {
  readonly headers: readonly string[];
  /** The non-empty rows. */
  readonly rows: readonly FileRow[];
  /** The beginning of the file's SHA-256, 16 hexadecimal digits: the same file has the same IDs. */
  readonly hash: string;
}

/** @throws Error with a text for users */
export async function readTable(file: Uint8Array<ArrayBuffer>): Promise<FileTable> {
  const lines = isZip(file) ? await readXlsx(file) : readCsv(decoded(file));
  const rows = lines
    .map((cells, at) => ({ number: at + 1, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  const [header, ...leads] = rows;
  if (header === undefined || leads.length === 0) throw new Error('The file has no rows below its headers.');
  return { headers: header.cells, rows: leads, hash: await hashOf(file) };
}

/**
 * Excel writes UTF-8 with a byte order mark, "Unicode text" as UTF-16, and everything else as windows-1252.
 * @throws Error with a text for users if the file is no text
 */
export function decoded(file: Uint8Array<ArrayBuffer>): string {
  if (file[0] === 0xff && file[1] === 0xfe) return new TextDecoder('utf-16le').decode(file);
  if (file[0] === 0xfe && file[1] === 0xff) return new TextDecoder('utf-16be').decode(file);
  // Images, PDF and the old XLS contain it, texts never.
  if (file.includes(0)) throw new Error('This is neither CSV nor XLSX. Save it as one of the two.');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    return new TextDecoder('windows-1252').decode(file);
  }
}

/** The separator that the file itself suggests: semicolon, comma, tab or bar. */
export function readCsv(text: string): string[][] {
  return parse<string[]>(text, { delimitersToGuess: [';', ',', '\t', '|'] }).data;
}

const isZip = (file: Uint8Array) => file[0] === 0x50 && file[1] === 0x4b;

/**
 * The first sheet. Its parts are unpacked here: the library would use a worker made from a text, which our content
 * security policy forbids, and would wait forever.
 */
async function readXlsx(file: Uint8Array): Promise<string[][]> {
  try {
    const stored = zipSync(unzipSync(file), { level: 0 });
    const sheet = await readSheet(new Blob([stored.slice()]));
    return sheet.map((cells) => cells.map(textOf));
  } catch {
    throw new Error('This XLSX file cannot be read. Save it again, or as CSV.');
  }
}

/** As people would type it in German. */
function textOf(cell: unknown): string {
  if (typeof cell === 'string') return cell;
  if (typeof cell === 'number') return String(cell).replace('.', ',');
  // A spreadsheet has no time zone: the clock time is what people see in it.
  if (cell instanceof Date)
    return cell.toISOString().replace(/^(\d+)-(\d+)-(\d+)T([\d:]+).*$/, '$3.$2.$1 $4');
  return typeof cell === 'boolean' ? String(cell) : '';
}

const HASH_DIGITS = 16;

async function hashOf(file: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', file));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .slice(0, HASH_DIGITS);
}
