import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';

/**
 * State of a screen that lives in the address: it survives a reload, works with Back, and can be sent to a colleague.
 * A value equal to its default is left out of the address.
 */
export function useUrlState<State extends Record<string, string>>(
  defaults: State,
): [State, (change: Partial<State>) => void] {
  const [params, setParams] = useSearchParams();
  const state = useMemo(() => {
    const read = { ...defaults };
    for (const name of keysOf(defaults)) {
      const value = params.get(name);
      if (value !== null) Object.assign(read, { [name]: value });
    }
    return read;
  }, [params, defaults]);

  const change = useCallback(
    (changed: Partial<State>) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          for (const [name, value] of Object.entries(changed)) {
            if (value === undefined || value === defaults[name]) after.delete(name);
            else after.set(name, String(value));
          }
          return after;
        },
        { replace: true },
      ),
    [setParams, defaults],
  );
  return [state, change];
}

function keysOf(value: Record<string, string>): string[] {
  return Object.keys(value);
}

/** The value if it is one of the allowed, else the first of them; addresses can be typed by hand. */
export function oneOf<const Allowed extends readonly [string, ...string[]]>(
  value: string,
  allowed: Allowed,
): Allowed[number] {
  return allowed.find((candidate) => candidate === value) ?? allowed[0];
}
