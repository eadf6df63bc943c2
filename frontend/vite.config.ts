import react from '@vitejs/plugin-react';
import mantine from 'postcss-preset-mantine';
import { defineConfig, normalizePath } from 'vite';
import { OpenModules } from './open-modules.ts';
import { runFirst } from './run-first.ts';

const open = new OpenModules();
/** With slashes on Windows, too. */
const ROOT = normalizePath(`${import.meta.dirname}/..`);

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), open.plugin, runFirst('early')],
  resolve: {
    alias: [{ find: /^#shared\/(.*)$/, replacement: `${ROOT}/shared/$1.ts` }],
  },
  css: { postcss: { plugins: [mantine()] } },
  server: { proxy: { '/api': 'http://localhost:3000', '/local': 'http://localhost:3000' } },
  build: {
    outDir: `${ROOT}/dist/web`,
    emptyOutDir: true,
    target: 'es2022',
    // Every browser that understands the target knows modulepreload.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: 'early', test: /\/frontend\/src\/early\.ts$/ }] },
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: (chunk) =>
          open.isAdminChunk(chunk.moduleIds) ? 'admin-assets/[name]-[hash].js' : 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
});
