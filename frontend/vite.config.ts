import react from '@vitejs/plugin-react';
import mantine from 'postcss-preset-mantine';
import { defineConfig, normalizePath } from 'vite';
import { chunkScript } from './chunk-script-plugin.ts';
import { PublicModules } from './public-modules-plugin.ts';
import { withoutSummaries } from './without-summaries.ts';

const publicModules = new PublicModules();
/** With slashes on Windows, too. */
const ROOT = normalizePath(`${import.meta.dirname}/..`);

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), publicModules.plugin, chunkScript('prefetch'), withoutSummaries()],
  resolve: {
    alias: [{ find: /^#shared\/(.*)$/, replacement: `${ROOT}/shared/$1.ts` }],
  },
  css: { postcss: { plugins: [mantine()] } },
  build: {
    outDir: `${ROOT}/dist/web`,
    emptyOutDir: true,
    target: 'es2022',
    // KB; the tests hold each page to a limit of its own.
    chunkSizeWarningLimit: 1600,
    // Every browser that understands the target knows modulepreload.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: 'prefetch', test: /\/frontend\/src\/prefetch\.ts$/ }] },
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: (chunk) =>
          publicModules.isAdminChunk(chunk.moduleIds)
            ? 'admin-assets/[name]-[hash].js'
            : 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
});
