/**
 * The functions under `npm run dev`. They load while their predecessor serves, and take over its data folder when it has
 * ended.
 */
import * as z from 'zod/mini';
import { runUntilStopped } from '#local/process';
import { introduce, startProduct } from '#local/product';
import { readSettings } from '#local/settings';

const { DEV_URL } = z.object({ DEV_URL: z.string() }).parse(process.env);

await runUntilStopped(async (life) => {
  const signalled = new Promise<void>((resolve) => {
    process.on('message', (message) => {
      if (message === 'start') resolve();
      if (message === 'stop') void life.stop();
    });
  });
  process.send?.('loaded');
  await signalled;
  const settings = readSettings();
  const product = await startProduct(life, settings, { publicUrl: DEV_URL });
  if (process.argv.includes('--first')) introduce(product, settings);
  process.send?.('ready');
});
