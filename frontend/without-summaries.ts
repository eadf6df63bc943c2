import type { Plugin } from 'vite';

const SERVER_SIDE = /\s*\b(?:summary|fn): '(?:[^'\\]|\\.)*',?/g;

/** Keeps the summaries and functions of the calls, which only the server uses, out of what every page loads. */
export function withoutSummaries(): Plugin {
  return {
    name: 'without-summaries',
    // Reads the source as it is written.
    enforce: 'pre',
    apply: 'build',
    transform: {
      filter: { id: /\/shared\/contract\/routes\.ts$/ },
      handler: (code) => ({ code: code.replaceAll(SERVER_SIDE, ''), map: null }),
    },
  };
}
