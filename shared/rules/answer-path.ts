/** Paths into a partner's answer: `data.leads[0].id`, `$.id`, `result['lead id']`; `$` alone is the whole answer. */

export type Steps = readonly (string | number)[];

const STEP = /\.?([^.[\]'"\s$][^.[\]'"]*)|\[(\d{1,6})\]|\['([^']+)'\]|\["([^"]+)"\]/y;

export function stepsOf(path: string): Steps | undefined {
  const text = path.trim();
  if (text === '') return undefined;
  const steps: (string | number)[] = [];
  let at = text.startsWith('$') ? 1 : 0;
  while (at < text.length) {
    STEP.lastIndex = at;
    const found = STEP.exec(text);
    // Every name except the first needs a dot.
    if (found === null || (found[1] !== undefined && (at === 0) === found[0].startsWith('.')))
      return undefined;
    const [, name, index, single, double] = found;
    steps.push(index === undefined ? (name?.trim() ?? single ?? double ?? '') : Number(index));
    at = STEP.lastIndex;
  }
  return steps;
}

export const stepsOfAll = (paths: string) => paths.split(',').map(stepsOf);

/** A name in a list means the name in its first entry. */
export function valueAt(answer: unknown, steps: Steps): unknown {
  let current = answer;
  for (const step of steps) {
    if (Array.isArray(current) && typeof step === 'string' && !/^\d+$/.test(step)) current = current[0];
    // A single XML element is not a list.
    if (step === 0 && !Array.isArray(current)) continue;
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) return undefined;
    current = Object.getOwnPropertyDescriptor(current, step)?.value;
  }
  return current;
}

export const PATH_EXPECTED = 'Enter a path such as data.id or leads[0].id';
