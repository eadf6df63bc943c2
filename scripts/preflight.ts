/** `npm run preflight -- prod`: what an account lacks for a deployment. Changes nothing. */
import { spawnSync } from 'node:child_process';
import { resolveNs } from 'node:dns/promises';
import { Argument } from '@commander-js/extra-typings';
import { config, repository, STAGES } from '#cdk/config';
import { command, fail, run } from '#scripts/command';
import { type Ask, missingForDeployment } from '#scripts/preflight-checks';

const ask: Ask = (name, ...args) => {
  const { status, stdout } = spawnSync(name, args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
};

await run(
  command(
    'preflight',
    'Checks what an account still needs before a stage can be deployed. Uses the AWS CLI and, with a repository, the GitHub CLI. Changes nothing. Exits with 1 when something is missing.',
  )
    .addArgument(new Argument('<stage>').choices(STAGES))
    .action(async (stage) => {
      const lacking = await missingForDeployment({
        stage,
        config: config[stage],
        repository,
        ask,
        nameServers: (zone) => resolveNs(zone).catch(() => []),
      });
      for (const sentence of lacking) console.log(`- ${sentence}`);
      if (lacking.length > 0) fail();
      else console.log(`${stage} can be deployed.`);
    }),
);
