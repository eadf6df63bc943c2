import { useCallback, useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';

/**
 * State of a screen that is stored in the URL: it survives a reload, works with Back, and can be sent to a colleague. A
 * value equal to its default is omitted.
 */
export function useUrlState<State extends Record<string, string>>(
  defaults: State,
): [State, (change: Partial<State>) => void] {
  const search = useSearch();
  const [pathname, navigate] = useLocation();
  const state = useMemo(() => {
    const params = new URLSearchParams(search);
    const read = { ...defaults };
    for (const name of keysOf(defaults)) {
      const value = params.get(name);
      if (value !== null) Object.assign(read, { [name]: value });
    }
    return read;
  }, [search, defaults]);

  const change = useCallback(
    (changed: Partial<State>) => {
      // Of the URL itself, because two changes may come before the screen is rendered again.
      const after = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries(changed)) {
        if (value === undefined || value === defaults[name]) after.delete(name);
        else after.set(name, String(value));
      }
      navigate(after.size === 0 ? pathname : `${pathname}?${after}`, { replace: true });
    },
    [pathname, navigate, defaults],
  );
  return [state, change];
}

function keysOf(value: Record<string, string>): string[] {
  return Object.keys(value);
}

/** The value if it is allowed, otherwise the first allowed one; URLs can be typed by hand. */
export function oneOf<const Allowed extends readonly [string, ...string[]]>(
  value: string,
  allowed: Allowed,
): Allowed[number] {
  return allowed.find((candidate) => candidate === value) ?? allowed[0];
}
