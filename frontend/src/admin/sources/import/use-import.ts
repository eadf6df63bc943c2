import { useEffect, useRef, useState } from 'react';
import { MAX_LEADS_PER_INTAKE } from '#shared/rules/constants';
import { useRefresh } from '../../data/mutation';
import { call } from '../../data/query';
import { errorText } from '../../notifications';

import type { PostedRow, RowResult } from './lead-rows';

/** A dry run, which changes nothing, or the import itself. */
export type RunKind = 'check' | 'import';

export interface ImportRun {
  readonly kind: RunKind;
  readonly state: 'running' | 'paused' | 'done';
  /** Why it stopped, unless the admin paused it. */
  readonly problem?: string;
  /** By row; unanswered rows are missing. */
  readonly results: readonly RowResult[];
}

export interface Import {
  readonly run: ImportRun | undefined;
  readonly start: (kind: RunKind) => void;
  readonly pause: () => void;
  /** Resumes at the first row without an answer. Rows whose answer was lost are recognised by their IDs. */
  readonly resume: () => void;
  readonly discard: () => void;
}

/** Importing rows takes longer than checking them: 500 took 17 s on a busy machine, and a gateway waits for 29. */
const ROWS_A_CALL: Readonly<Record<RunKind, number>> = { check: MAX_LEADS_PER_INTAKE, import: 100 };

/** Sends the rows of a file in parts, sequentially. */
export function useImport(sourceId: number, leads: readonly PostedRow[]): Import {
  const [run, setRun] = useState<ImportRun>();
  const refresh = useRefresh();
  /** How far the dry run is. */
  const next = useRef('');
  /** Ends the current run after its current call. */
  const current = useRef<AbortController>(undefined);
  useEffect(() => () => current.current?.abort(), []);

  const send = async (kind: RunKind, before: readonly RowResult[]) => {
    const { signal } = (current.current = new AbortController());
    const results = [...before];
    const show = (state: ImportRun['state'], problem?: string) =>
      setRun({ kind, state, results: [...results], ...(problem !== undefined && { problem }) });
    show('running');
    try {
      while (results.length < leads.length && !signal.aborted) {
        const part = leads.slice(results.length, results.length + ROWS_A_CALL[kind]);
        const answer = await call('importLeads', {
          params: { sourceId },
          body: { leads: part, ...(kind === 'check' && { dry_run: next.current }) },
        });
        next.current = answer.next ?? '';
        results.push(...answer.results);
        if (!signal.aborted) show('running');
      }
      if (current.current?.signal !== signal) return;
      show(results.length < leads.length ? 'paused' : 'done');
    } catch (error) {
      if (current.current?.signal === signal) show('paused', errorText(error));
    }
    if (kind === 'import') void refresh(['sources', 'buyers', 'dashboard', 'pending-leads', 'statistics']);
  };

  return {
    run,
    start: (kind) => {
      next.current = '';
      void send(kind, []);
    },
    pause: () => current.current?.abort(),
    resume: () => {
      if (run) void send(run.kind, run.results);
    },
    discard: () => {
      current.current?.abort();
      current.current = undefined;
      setRun(undefined);
    },
  };
}
