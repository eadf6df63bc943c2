/** `npm run judge:cloud`: deploys the product onto an emulated AWS, and judges it there. */
import { StartError } from '#local/start-error';
import { command, fail, run } from '#scripts/command';
import { fetchTools } from '#test/judges/cloud/emulator';
import { expect, Findings } from '#test/judges/cloud/findings';
import { journey } from '#test/judges/cloud/journey';
import { denials, ready, startStage } from '#test/judges/cloud/stage';

await run(
  command('judge:cloud', 'Deploys the product onto an emulated AWS and judges it there.').action(async () => {
    const problem = fetchTools();
    if (problem !== undefined) throw new StartError(`It cannot run here: ${problem}`);
    const findings = new Findings();
    const stage = await startStage();
    try {
      await findings.see('ready', 'every function does its work under its own role', () => ready(stage));
      await findings.see('journey', 'from the first login to a replacement, in a browser', () =>
        journey(stage),
      );
      await findings.see('rights', 'none refused', async () => {
        const refused = denials(stage);
        expect(refused.length === 0, refused.join('\n'));
        return 'none';
      });
    } finally {
      await stage.stop();
    }
    console.log(findings.table);
    if (!findings.areMet) fail();
  }),
);
process.exit();
