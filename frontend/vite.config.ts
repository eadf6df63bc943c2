import react from '@vitejs/plugin-react';
import { defineConfig, normalizePath, type UserConfig } from 'vite';
import { chunkScript } from './chunk-script-plugin.ts';
import { pageGroups } from './page-groups.ts';

/** With slashes, also on Windows. */
const ROOT = normalizePath(`${import.meta.dirname}/..`);
const FILES = 'assets/[name]-[hash]';

const base: UserConfig = {
  root: import.meta.dirname,
  plugins: [react()],
  resolve: {
    alias: [{ find: /^#shared\/(.*)$/, replacement: `${ROOT}/shared/$1.ts` }],
  },
  // Only the admin app has workers.
  worker: {
    format: 'es',
    rolldownOptions: { output: { entryFileNames: `admin-${FILES}.js`, chunkFileNames: `admin-${FILES}.js` } },
  },
  build: {
    outDir: `${ROOT}/dist/web`,
    emptyOutDir: true,
    target: 'es2022',
    // KB; a test limits each page.
    chunkSizeWarningLimit: 1600,
    // All target browsers know modulepreload.
    modulePreload: { polyfill: false },
  },
};

export default defineConfig(async ({ command }): Promise<UserConfig> => {
  if (command !== 'build') return base;
  const { groups, isAdminChunk } = await pageGroups(base);
  return {
    ...base,
    plugins: [base.plugins, chunkScript('prefetch')],
    build: {
      ...base.build,
      rolldownOptions: {
        output: {
          codeSplitting: { groups: [...groups] },
          entryFileNames: `${FILES}.js`,
          chunkFileNames: (chunk) => `${isAdminChunk(chunk.moduleIds) ? 'admin-' : ''}${FILES}.js`,
          assetFileNames: `${FILES}[extname]`,
        },
      },
    },
  };
});
