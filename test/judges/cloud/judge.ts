/** `npm run judge:cloud`: deploys the product onto an emulated AWS, and judges it there. */
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { StartError } from '#local/start-error';
import { atLeastOne, command, fail, run } from '#scripts/command';
import { copySources } from '#test/judges/cloud/deployment';
import { fetchTools, occupy } from '#test/judges/cloud/emulator';
import { judgeFaultMutants, judgeFaults } from '#test/judges/cloud/faults';
import { expect, Findings } from '#test/judges/cloud/findings';
import { judgeIncompatible, judgeMutants, judgeStage } from '#test/judges/cloud/mutants';
import {
  brokenSources,
  deployBroken,
  deployNext,
  deployUnchanged,
  destroy,
  nextSources,
} from '#test/judges/cloud/redeployments';
import { noMailTwice, refusedRights, startStage } from '#test/judges/cloud/stage';
import { judgeUpgrade } from '#test/judges/cloud/upgrade';

const PARTS = ['stage', 'upgrade', 'faults'];
/** Without the faults, which take as long as both. */
const USUAL_PARTS = ['stage', 'upgrade'];
const LEADS = 120;

await run(
  command('judge:cloud', 'Deploys the product onto an emulated AWS and judges it there.')
    .option('--mutants', 'see that each part finds mistakes', false)
    .option('--only <parts>', `some of ${PARTS.join(', ')}, with commas between`, partsOf, USUAL_PARTS)
    .option('--previous <commit>', 'the release from which the upgrade starts')
    .option('--leads <count>', 'how many flow sequentially during the upgrade', atLeastOne, LEADS)
    .option('--seed <number>', 'decides what happens during the faults', atLeastOne, Date.now() % 1_000_000)
    .option('--seconds <count>', 'how long leads flow at least during the faults', atLeastOne, 40)
    .action(async ({ mutants, only, previous, leads, ...plan }) => {
      const problem = fetchTools();
      if (problem !== undefined) throw new StartError(`It cannot run here: ${problem}`);
      occupy();
      const findings = new Findings();
      const began = performance.now();
      const present = copySources('present');
      if (mutants) {
        if (only.includes('stage')) await judgeMutants(findings);
        if (only.includes('upgrade')) await judgeIncompatible(findings, previous, leads);
        if (only.includes('faults')) await judgeFaultMutants(findings, plan);
      } else {
        if (only.includes('stage')) await judge(present, findings);
        if (only.includes('upgrade')) await judgeUpgrade(present, findings, previous, leads);
        if (only.includes('faults')) await judgeFaults(present, findings, plan);
      }
      console.log(`\n${findings.table}\n\n${Math.round((performance.now() - began) / 1000)} s`);
      if (!findings.areMet) fail();
    }),
);
process.exit();

/** An unknown name would judge nothing, and pass. */
function partsOf(text: string): string[] {
  const parts = text.split(',');
  const unknown = parts.filter((part) => !PARTS.includes(part));
  if (unknown.length > 0)
    throw new InvalidArgumentError(`There is no ${unknown.join(', ')}, only ${PARTS.join(', ')}.`);
  return parts;
}

async function judge(present: string, findings: Findings): Promise<void> {
  const stage = await startStage(present);
  try {
    const next = nextSources();
    const broken = brokenSources();
    // While a browser waits, the other processor works.
    const synthesized = stage.account
      .synthesize(next)
      .then(async (first) => [first, await stage.account.synthesize(broken)]);
    await judgeStage(stage, findings);
    await findings.see('synthesis of the next versions', 'both are built', async () => {
      for (const { ok, output } of await synthesized) expect(ok, output);
      return 'built';
    });
    await findings.see('deployment without a change', 'nothing is touched', () => deployUnchanged(stage));
    await findings.see('deployment of code, configuration and keys', 'all of it works at once', () =>
      deployNext(stage, next),
    );
    await findings.see('deployment of a version that is not ready', 'found, and taken back', () =>
      deployBroken(stage, broken, next),
    );
    await findings.see('rights after that', 'none is missing', async () => refusedRights(stage));
    await findings.see('e-mails', 'none twice', () => noMailTwice(stage));
    await findings.see('destroy', 'nothing is left', () => destroy(stage));
  } finally {
    await stage.stop();
  }
}
