import type { Plugin } from 'vite';

const SERVER_SIDE = /\s*\b(?:access|fn): '[a-z-]+',/g;

/** Keeps who may make a call and which function answers it, which only the server asks, out of what every page loads. */
export function withoutFunctions(): Plugin {
  return {
    name: 'without-functions',
    // Reads the source as it is written.
    enforce: 'pre',
    apply: 'build',
    transform: {
      filter: { id: /\/shared\/contract\/routes\.ts$/ },
      handler: (code) => ({ code: code.replaceAll(SERVER_SIDE, ''), map: null }),
    },
  };
}
