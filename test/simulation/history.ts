/** A history as text: all steps in order, and the two conflicting calls. */
import type { Step } from '#test/simulation/kernel';
import type { Outcome } from '#test/simulation/simulate-one';

const MAX_LINES = 150;

/** A violation without the numbers and ids that differ between two histories of the same fault. */
export const kindOf = (violation: string): string =>
  violation
    .split('; ')[0]
    ?.replace(/[0-9A-Z]{26}/g, 'ID')
    .replace(/\d+/g, 'N') ?? '';

const line = ({ step, at, process, label, outcome }: Step) =>
  `${String(step).padStart(5)}  ${new Date(at).toISOString().slice(11, 23)}  ${process.padEnd(16)} ${label}${outcome === 'ok' ? '' : `  → ${outcome}`}`;

/** Short histories are printed completely. */
export const lines = (history: readonly Step[]): string[] => history.slice(0, MAX_LINES).map(line);

/** @param outcome of a run with `record` */
export function notified(outcome: Outcome): string {
  const { history, violation = 'none', faults } = outcome;
  const met = meeting(history, violation);
  const shown = history.length <= MAX_LINES ? history : relevant(history, violation).slice(-MAX_LINES);
  return [
    `Seed ${outcome.seed} (${outcome.strategy}), ${history.length} lines, ${faults.length} faults`,
    `Violation: ${violation}`,
    ...(met === undefined ? [] : ['These two met:', line(met[0]), line(met[1])]),
    ...(faults.length === 0 ? [] : ['Faults:', ...faults.map((fault) => `  ${fault}`)]),
    'History:',
    ...shown.map(line),
  ].join('\n');
}

/** Names in a violation that also occur in keys. */
function things(violation: string): string[] {
  const orders = [...violation.matchAll(/order (\d+)/g)].map(([, id]) => `ORDERS#${Number(id) % 16}/`);
  const leads = [...violation.matchAll(/[0-9A-Z]{26}/g)].map(([id]) => id);
  return [...orders, ...leads];
}

function relevant(history: readonly Step[], violation: string): readonly Step[] {
  const names = things(violation);
  const about = history.filter(
    ({ label, outcome }) => outcome === '' || outcome !== 'ok' || names.some((name) => label.includes(name)),
  );
  return about.length < 5 ? history : about;
}

/**
 * The last write of one process to an object in the violation, and the last earlier call of another process to the same
 * object.
 */
function meeting(history: readonly Step[], violation: string): readonly [Step, Step] | undefined {
  for (const name of things(violation)) {
    const touching = history.filter(({ label }) => label.includes(name) && !label.startsWith('batchget'));
    const last = touching.findLast(({ label }) => /^(put|update|delete|transact|commit)/.test(label));
    const before =
      last && touching.findLast((step) => step.step < last.step && step.process !== last.process);
    if (last !== undefined && before !== undefined) return [before, last];
  }
  return undefined;
}
