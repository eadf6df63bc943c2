import { runUntilStopped } from '#local/process';
import { introduce, startProduct } from '#local/product';
import { readSettings } from '#local/settings';
import { ensureWebBuild, WEB_ROOT } from '#local/web-build';

await runUntilStopped(async (life) => {
  const settings = readSettings();
  if (await ensureWebBuild()) console.log('Built the web app');
  const product = await startProduct(life, settings, { webRoot: WEB_ROOT });
  introduce(product, settings);
  console.log(`Ready on ${product.cloud.url}`);
});
