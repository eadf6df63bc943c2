import { useEffect, useRef, useState } from 'react';
import { hashOf } from '#shared/rules/consent-proof';
import { formatNumber } from '#shared/rules/formats';
import { MAX_KNOWN_PEOPLE, saltedText } from '#shared/rules/known-people';
import { useRefresh } from '../data/mutation';
import type { KnownPeople } from '../data/people';
import { call } from '../data/query';
import { errorText } from '../notifications';
import { readFile } from '../sources/import/read-file';
import { type Counts, contactColumns, hashedPart, ROWS_A_PART, sumOf } from './known-rows';

export interface Upload {
  readonly name: string;
  readonly state: 'running' | 'stopped' | 'done';
  readonly problem?: string;
  readonly total: number;
  readonly counts: Counts;
}

const NONE: Counts = { rows: 0, invalid: 0, duplicates: 0 };

/** Uploads a file in parts. An unfinished list of the same file is continued: its last part is sent again. */
export function useUpload(buyerId: string | null) {
  const [upload, setUpload] = useState<Upload>();
  const refresh = useRefresh();
  const current = useRef<AbortController>(undefined);
  useEffect(() => () => current.current?.abort(), []);

  const start = async (file: File, { salt, lists }: KnownPeople) => {
    const { signal } = (current.current = new AbortController());
    let [total, counts, isBegun] = [0, NONE, false];
    const show = (state: Upload['state'], problem?: string) => {
      if (!signal.aborted)
        setUpload({ name: file.name, state, total, counts, ...(problem !== undefined && { problem }) });
    };
    show('running');
    try {
      const { headers, rows, hash } = await readFile(file);
      const columns = contactColumns(headers);
      if (columns.email < 0 && columns.phone < 0)
        throw new Error('The file has no column whose header names a phone number or an e-mail address.');
      if (rows.length > MAX_KNOWN_PEOPLE)
        throw new Error(`The file has more than ${formatNumber(MAX_KNOWN_PEOPLE)} rows. Split it.`);
      total = rows.length;
      const body = { buyer_id: buyerId, name: file.name, file: await hashOf(saltedText(salt, 'file', hash)) };
      const list =
        lists.find((one) => one.buyer_id === buyerId && one.file === body.file && !one.deleting) ??
        (await call('beginKnownPeople', { body })).list;
      if (list.finished) throw new Error('This file was uploaded before.');
      isBegun = true;
      const seen = new Set<string>();
      for (let at = 0; at < rows.length && !signal.aborted; at += ROWS_A_PART) {
        const number = at / ROWS_A_PART + 1;
        const part = await hashedPart(salt, rows.slice(at, at + ROWS_A_PART), columns, seen);
        const { rows: read, invalid, duplicates } = part.counts;
        if (number >= list.parts)
          await call('addKnownPeople', {
            params: { listId: list.list_id, number },
            body: {
              hashes: [...part.hashes],
              people: read - invalid - duplicates,
              last: at + ROWS_A_PART >= rows.length,
            },
          });
        counts = sumOf(counts, part.counts);
        show('running');
      }
      show('done');
    } catch (error) {
      const text = error instanceof Error ? error.message : errorText(error);
      show('stopped', isBegun ? `${text} Choose the same file again to continue.` : text);
    }
    await refresh(['people']);
  };
  return { upload, start };
}
