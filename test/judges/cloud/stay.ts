/** `npm run cloud`: deploys the product onto an emulated AWS on this machine and leaves it running. */
import { StartError } from '#local/start-error';
import { command, run } from '#scripts/command';
import { fetchTools, occupy, REGION, TOOLS_PATH } from '#test/judges/cloud/emulator';
import { startStage } from '#test/judges/cloud/stage';

const PORT = 8088;

await run(
  command('cloud', 'Deploys the product onto an emulated AWS on this machine and leaves it running.').action(
    async () => {
      const problem = fetchTools();
      if (problem !== undefined) throw new StartError(`It cannot run here: ${problem}`);
      occupy();
      // Before it is deployed, the emulator ends with this process.
      let stop = () => Promise.resolve();
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
        process.once(signal, () => void stop().then(() => process.exit()));
      console.log('Deploying, for about a minute …');
      const stage = await startStage(undefined, {}, PORT);
      stop = () => stage.stop();
      const { edge, firstAdmin, mails, emulator, outputs } = stage;
      if (edge.url !== `http://localhost:${PORT}`)
        console.log(`Port ${PORT} is taken, so another one is used.`);
      mails.message = async ({ to, mail }) => {
        const { subject, text = '' } = await mail();
        console.log(`\nE-mail to ${to.join(', ')}: ${subject}\n${text.replaceAll(outputs.Url, edge.url)}`);
        return undefined;
      };
      console.log(`
${edge.url}   user: ${firstAdmin.username}   password: ${firstAdmin.password}

E-mail templates: SMTP host 127.0.0.1, port ${mails.port}, any user and password. E-mails are printed here.
Links that you copy begin with ${outputs.Url}, which only the emulator knows: open them at the address above.

The AWS command line, in another terminal:
  export AWS_ENDPOINT_URL=${emulator.endpoint} AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test
  export AWS_DEFAULT_REGION=${REGION} PATH="${TOOLS_PATH}:$PATH"

Logs of the emulator: ${emulator.log}
The next start begins empty. Ctrl+C ends it.`);
    },
  ),
);
