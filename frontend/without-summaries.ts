import type { Plugin } from 'vite';

const SUMMARY = /\s*\bsummary: '(?:[^'\\]|\\.)*',?/g;

/** Keeps the summaries of the calls, which only the API's document shows, out of what every page loads. */
export function withoutSummaries(): Plugin {
  return {
    name: 'without-summaries',
    // Reads the source as it is written.
    enforce: 'pre',
    apply: 'build',
    transform: {
      filter: { id: /\/shared\/contract\/routes\.ts$/ },
      handler: (code) => ({ code: code.replaceAll(SUMMARY, ''), map: null }),
    },
  };
}
