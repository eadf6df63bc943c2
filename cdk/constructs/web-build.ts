import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { type ISource, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { ROOT } from '#cdk/bundling';

/** Built during the synthesis, so that nothing stale is uploaded. */
export function webBuild(): ISource {
  return Source.asset(join(ROOT, 'frontend'), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never started.
      image: DockerImage.fromRegistry('scratch'),
      local: {
        tryBundle(outputDir) {
          execFileSync(
            process.execPath,
            [
              join(ROOT, 'node_modules/vite/bin/vite.js'),
              'build',
              'frontend',
              '--outDir',
              outputDir,
              '--emptyOutDir',
              '--logLevel',
              'warn',
            ],
            { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] },
          );
          return true;
        },
      },
    },
  });
}
