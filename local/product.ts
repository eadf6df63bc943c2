/** The product on this machine, with an admin and example data. */
import { resolve } from 'node:path';
import { type Cloud, type CloudOptions, startCloud } from '#local/cloud';
import { makeExampleData } from '#local/demo';
import { type FirstAdmin, makeFirstAdmin } from '#local/first-admin';
import type { Life } from '#local/process';
import { readOutside, type Settings } from '#local/settings';
import { StartError } from '#local/start-error';

export interface Product {
  readonly cloud: Cloud;
  readonly admin: FirstAdmin;
}

export async function startProduct(
  life: Life,
  settings: Settings,
  options: Pick<CloudOptions, 'webRoot' | 'publicUrl'>,
): Promise<Product> {
  const dataDir = resolve(settings.DATA_DIR);
  let admin: FirstAdmin = { account: null, made: false };
  const cloud = await startCloud({
    ...options,
    dataDir,
    port: settings.PORT,
    host: settings.HOST,
    smtpPort: settings.SMTP_PORT,
    partnersPort: settings.PARTNERS_PORT,
    reconcileEverySeconds: settings.RECONCILE_SECONDS,
    environment: readOutside(),
    ...(settings.DYNAMODB_ENDPOINT !== undefined && { dynamodbEndpoint: settings.DYNAMODB_ENDPOINT }),
    // Before anything answers, so that the password works at once.
    async beforeOpen(parts) {
      admin = await makeFirstAdmin(parts, dataDir, {
        username: settings.ADMIN_USERNAME,
        password: settings.ADMIN_PASSWORD,
      });
    },
    onLog: (line) => {
      // Info lines such as refused calls are left out, because the caller already gets the answer.
      if (!line.includes('"level":"info"')) process.stderr.write(`${line}\n`);
    },
    onFailure: (reason) => life.fail(new StartError(reason)),
  });
  life.owns(cloud);
  if (admin.made && admin.account !== null && settings.DEMO === '1') {
    console.log('Making example data (DEMO=0 starts empty)');
    // A proxy in front answers only after the start.
    const url = `http://localhost:${cloud.port}`;
    await makeExampleData({ ...cloud, url }, admin.account).catch((error: unknown) =>
      console.error('The example data are incomplete:', error instanceof Error ? error.message : error),
    );
  }
  return { cloud, admin };
}

export function introduce({ cloud, admin }: Product, settings: Settings): void {
  if (admin.account !== null && settings.ADMIN_PASSWORD === undefined)
    console.log(`Log in as ${admin.account.username} with the password ${admin.account.password}`);
  console.log(`E-mails and calls to partners: ${cloud.url}/local`);
  console.log(
    `Mail server for templates: localhost:${cloud.inbox.port}, any password, an e-mail address as user`,
  );
  const seconds = (Date.now() - performance.timeOrigin) / 1000;
  console.log(`Data: ${resolve(settings.DATA_DIR)} (${seconds.toFixed(1)} s)`);
}
