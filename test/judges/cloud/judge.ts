/** `npm run judge:cloud`: deploys the product onto an emulated AWS, and judges it there. */
import { StartError } from '#local/start-error';
import { command, fail, run } from '#scripts/command';
import { fetchTools } from '#test/judges/cloud/emulator';
import { expect, Findings } from '#test/judges/cloud/findings';
import { journey } from '#test/judges/cloud/journey';
import {
  brokenSources,
  deployBroken,
  deployNext,
  deployUnchanged,
  destroy,
  nextSources,
} from '#test/judges/cloud/redeployments';
import { everyRoute } from '#test/judges/cloud/routes';
import { ready, refusals, type Stage, startStage } from '#test/judges/cloud/stage';

await run(
  command('judge:cloud', 'Deploys the product onto an emulated AWS and judges it there.').action(async () => {
    const problem = fetchTools();
    if (problem !== undefined) throw new StartError(`It cannot run here: ${problem}`);
    const findings = new Findings();
    const began = performance.now();
    const stage = await startStage();
    try {
      await judge(stage, findings);
    } finally {
      await stage.stop();
    }
    console.log(`\n${findings.table}\n\n${Math.round((performance.now() - began) / 1000)} s`);
    if (!findings.areMet) fail();
  }),
);
process.exit();

async function judge(stage: Stage, findings: Findings): Promise<void> {
  const next = nextSources();
  const broken = brokenSources();
  // While a browser waits, the other processor works.
  const synthesized = [next, broken].reduce(
    (before, folder) => before.then(async () => void (await stage.account.synthesize(folder))),
    Promise.resolve(),
  );
  await findings.see('functions', 'each is ready under its own role', () => ready(stage));
  await findings.see('main path', 'from the first login to a replacement, in a browser', () =>
    journey(stage),
  );
  await findings.see('routes', 'no answer of 500 and above', () => everyRoute(stage));
  await synthesized;
  await findings.see('deployment without a change', 'nothing is touched', () => deployUnchanged(stage));
  await findings.see('deployment of code, configuration and keys', 'all of it works at once', () =>
    deployNext(stage, next),
  );
  await findings.see('deployment of a version that is not ready', 'found, and taken back', () =>
    deployBroken(stage, broken, next),
  );
  await findings.see('rights', 'none is missing', async () => {
    const refused = refusals(stage);
    expect(refused.length === 0, refused.join('\n'));
    return 'none refused';
  });
  await findings.see('destroy', 'nothing is left', () => destroy(stage));
}
