import type { Plugin } from 'vite';

const FUNCTION = /\s*\bfn: '[a-z-]+',/g;

/** Keeps the names of the functions that answer the calls, which only the server uses, out of what every page loads. */
export function withoutFunctions(): Plugin {
  return {
    name: 'without-functions',
    // Reads the source as it is written.
    enforce: 'pre',
    apply: 'build',
    transform: {
      filter: { id: /\/shared\/contract\/routes\.ts$/ },
      handler: (code) => ({ code: code.replaceAll(FUNCTION, ''), map: null }),
    },
  };
}
