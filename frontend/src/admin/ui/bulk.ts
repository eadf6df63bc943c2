import { useEffect, useRef, useState } from 'react';
import { ApiError, isUnreachable } from '../../app/api';
import { errorText } from '../notifications';
import { useUnsavedChangesWarning } from './unsaved-changes';

/** The result of one row: `unchanged` was tried without effect, `skipped` was not tried. */
export interface Outcome {
  readonly state: 'running' | 'done' | 'unchanged' | 'failed' | 'skipped';
  readonly text: string;
}

interface Bulk<Row> {
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly state: 'idle' | 'running' | 'ended';
  readonly start: (rows: readonly Row[], task: Task<Row>) => void;
  /** Stops after the running rows. */
  readonly stop: () => void;
}

export interface Task<Row> {
  /** Handles one row. @throws Error with the text to show */
  readonly perform: (row: Row) => Promise<Outcome & { readonly state: 'done' | 'unchanged' }>;
  /** Concurrent rows; 1 if the order matters. */
  readonly atOnce: number;
  /** Why this failure stops the remaining rows; undefined to continue. */
  readonly endsWith?: (error: unknown) => string | undefined;
  /** Called once at the end. */
  readonly ended?: () => void;
}

export const done = (text: string) => ({ state: 'done', text }) as const;

const STOPPED = 'Not tried: stopped';
const NO_ANSWER = 'Not tried: no answer from the server';
const LOGGED_OUT = 'Not tried: the session has ended';

/**
 * Does the same for many rows, one call each, so that every row is either done or not and shows which. Nothing is stored:
 * closing the page ends it after the running rows, and asks before.
 */
export function useBulk<Row>(keyOf: (row: Row) => string): Bulk<Row> {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const [state, setState] = useState<Bulk<Row>['state']>('idle');
  const reason = useRef<string>(undefined);
  useUnsavedChangesWarning(state === 'running');
  useEffect(
    () => () => {
      reason.current ??= STOPPED;
    },
    [],
  );

  const run = async (rows: readonly Row[], task: Task<Row>) => {
    const waiting = [...rows];
    const note = (row: Row, outcome: Outcome) =>
      setOutcomes((before) => new Map(before).set(keyOf(row), outcome));
    const work = async () => {
      for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
        if (reason.current !== undefined) {
          note(row, { state: 'skipped', text: reason.current });
          continue;
        }
        note(row, { state: 'running', text: 'In progress' });
        try {
          note(row, await task.perform(row));
        } catch (error) {
          note(row, { state: 'failed', text: failureText(error) });
          reason.current ??= task.endsWith?.(error) ?? outage(error);
        }
      }
    };
    await Promise.all(Array.from({ length: task.atOnce }, work));
    setState('ended');
    task.ended?.();
  };

  return {
    outcomes,
    state,
    start: (rows, task) => {
      reason.current = undefined;
      setOutcomes(new Map());
      setState('running');
      void run(rows, task);
    },
    stop: () => {
      reason.current ??= STOPPED;
    },
  };
}

/** The call may have taken effect although its answer was lost. */
function failureText(error: unknown): string {
  return isUnreachable(error)
    ? `${errorText(error)}: no answer received; it may have succeeded`
    : errorText(error);
}

/** The next row would fail for the same reason. */
function outage(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.status === 401) return LOGGED_OUT;
  return isUnreachable(error) ? NO_ANSWER : undefined;
}
