/** `npm run open-keys -- FILE`: the application's keys from a restored table. */
import { unseal } from '#cdk/provisioning/sealed';
import { keys } from '#functions/data/table/keys';
import { StartError } from '#local/start-error';
import { command, readText, run } from '#scripts/command';
import { TABLE_HELP, withTable } from '#scripts/table';

await run(
  command(
    'open-keys',
    'Prints the application’s keys from the copy in a table. They decrypt every stored secret, so write them only to the secret of the functions.',
  )
    .argument('<private-key>', 'file with the private key, RSA as PEM (PKCS #8)')
    .addHelpText('after', TABLE_HELP)
    .action(async (file) => {
      const copy = await withTable((table) => table.get(keys.keysCopy()));
      if (typeof copy?.sealed !== 'string') throw new StartError('The table contains no copy of the keys');
      const privateKey = readText(file);
      const text = await unseal(copy.sealed, privateKey).catch(() => {
        throw new StartError('This private key does not open the copy');
      });
      process.stdout.write(`${text}\n`);
    }),
);
