import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { type ISource, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { ROOT } from '#cdk/bundling';

/** The frontend, built while the stack is put together, so that nothing stale is ever uploaded. */
export function webBuild(): ISource {
  return Source.asset(join(ROOT, 'frontend'), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never started: the local build below always succeeds or throws.
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
