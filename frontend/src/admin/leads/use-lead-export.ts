import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { EXPORT_MEDIA_TYPES, type ExportFormat } from '#shared/rules/constants';
import { type LeadQuery, type LoadedLeads, useLoadedLeads } from '../data/lead-list';
import { errorText } from '../notifications';
import { download } from '../ui/download';
import type { FileOrder, WrittenFile } from './write-file.worker';

export interface LeadExport {
  readonly state: 'loading' | 'paused' | 'writing' | 'done';
  /** Leads loaded so far. */
  readonly loaded: number;
  /** Why it stopped, unless the admin paused it. */
  readonly problem?: string;
}

/** Loads every lead that matches, page by page, and saves them as a file. Begins at once, where an earlier one ended. */
export function useLeadExport(query: LeadQuery, format: ExportFormat) {
  const source = useLoadedLeads(query);
  const [run, setRun] = useState<LeadExport>({ state: 'loading', loaded: source.loaded().leads.length });
  const current = useRef<AbortController>(undefined);

  const proceed = async () => {
    const { signal } = (current.current = new AbortController());
    let all: LoadedLeads = source.loaded();
    const show = (state: LeadExport['state'], problem?: string) => {
      if (current.current?.signal === signal)
        setRun({ state, loaded: all.leads.length, ...(problem !== undefined && { problem }) });
    };
    try {
      while (all.next !== null) {
        show('loading');
        all = await source.loadMore(all, signal);
      }
      show('writing');
      const file = await fileOf({ leads: all.leads, format });
      if (signal.aborted) return;
      download(`Leads.${format}`, file, EXPORT_MEDIA_TYPES[format]);
      source.forget();
      show('done');
    } catch (error) {
      show('paused', signal.aborted ? undefined : errorText(error));
    }
  };

  const begin = useEffectEvent(() => void proceed());
  useEffect(() => {
    begin();
    return () => current.current?.abort();
  }, []);

  return { ...run, pause: () => current.current?.abort(), resume: () => void proceed() };
}

/** @throws Error with a text for users */
async function fileOf(order: FileOrder): Promise<Uint8Array<ArrayBuffer>> {
  const worker = new Worker(new URL('./write-file.worker.ts', import.meta.url), { type: 'module' });
  try {
    const file = await new Promise<WrittenFile>((resolve) => {
      worker.addEventListener('message', ({ data }: MessageEvent<WrittenFile>) => resolve(data));
      worker.addEventListener('error', () => resolve(undefined));
      worker.postMessage(order, []);
    });
    if (file === undefined)
      throw new Error('The file could not be written. Narrow the filters and try again.');
    return file;
  } finally {
    worker.terminate();
  }
}
