/**
 * `npm run dev`: Vite instead of the built web app, and the functions in a process that restarts on the same data while
 * requests wait.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { join, relative, resolve, sep } from 'node:path';
import { createServer as createVite } from 'vite';
import { freePort } from '#local/engine';
import { listenOn } from '#local/gateway';
import { createHostCheck } from '#local/host-check';
import { runUntilStopped } from '#local/process';
import { ReplaceableProcess } from '#local/replaceable-process';
import { readSettings } from '#local/settings';
import { API_DOCS_PATH, pageHeaders } from '#shared/contract/web-headers';

const ROOT = resolve(import.meta.dirname, '..');
const FUNCTION_FOLDERS = ['functions', 'shared', 'local'];
const FUNCTION_PATHS = new RegExp(`^(?!${API_DOCS_PATH}(\\?|$))/(api|local)(/|\\?|$)`);

await runUntilStopped(async (life) => {
  const settings = readSettings();
  const server = createServer();
  const port = await listenOn(server, settings.PORT, settings.HOST);
  const url = `http://localhost:${port}`;
  const inner = String(await freePort());

  const functions = new ReplaceableProcess({
    module: join(ROOT, 'local', 'dev-process.ts'),
    environment: { DEV_URL: url, PORT: inner, HOST: '127.0.0.1' },
    onReplaced: (milliseconds) => console.log(`Functions restarted in ${(milliseconds / 1000).toFixed(1)} s`),
    onEnded: () => console.error('The functions do not run; they start again when their code changes.'),
  });
  const started = functions.replace();
  // Vite adds an inline script for hot reload.
  const nonce = randomBytes(16).toString('base64');
  const vite = await createVite({
    configFile: join(ROOT, 'frontend', 'vite.config.ts'),
    html: { cspNonce: nonce },
    server: {
      middlewareMode: true,
      cors: false,
      ws: { server },
      proxy: { [FUNCTION_PATHS.source]: { target: `http://127.0.0.1:${inner}`, changeOrigin: false } },
    },
  });
  life.owns({
    async stop() {
      await Promise.all([functions.stop(), vite.close()]);
      server.closeAllConnections();
    },
  });

  const refuseForeign = createHostCheck(settings.HOST);
  server.on('request', async (request, response) => {
    if (refuseForeign(request, response)) return;
    const path = request.url ?? '/';
    if (FUNCTION_PATHS.test(path)) {
      const answered = new Promise<void>((resolve) => {
        response.once('close', resolve);
      });
      if (!(await functions.isServing(answered))) {
        unavailable(response);
        return;
      }
    } else
      for (const [name, value] of Object.entries(pageHeaders(path)))
        response.setHeader(name, value.replace("script-src 'self'", `$& 'nonce-${nonce}'`));
    vite.middlewares(request, response);
  });

  vite.watcher.add(FUNCTION_FOLDERS.map((folder) => join(ROOT, folder)));
  vite.watcher.on('all', (_, file) => {
    if (isFunctionCode(relative(ROOT, file))) void functions.replace();
  });
  await started;
  if (await functions.isServing()) console.log(`Ready on ${url}`);
});

function isFunctionCode(file: string): boolean {
  const [folder = ''] = file.split(sep);
  return FUNCTION_FOLDERS.includes(folder) && file.endsWith('.ts');
}

function unavailable(response: ServerResponse): void {
  response
    .writeHead(503, { 'content-type': 'application/json' })
    .end(JSON.stringify({ error: 'The functions do not run: see the terminal', code: 'not_running' }));
}
