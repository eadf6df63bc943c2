/** `npm run verify-consent`: checks a proof of a consent, without a network and without the product's data. */
import { readFileSync } from 'node:fs';
import { StartError, systemCode } from '#local/start-error';
import { command, fail, readText, run } from '#scripts/command';
import {
  type ProofFault,
  type ProofLevel,
  type Published,
  publishedIn,
  verifyConsentProof,
} from '#shared/rules/consent-proof';

const FAULTS: Readonly<Record<ProofFault, string>> = {
  not_a_proof: 'it is no proof of a consent, or was changed so that it cannot be read',
  changed: 'a byte was changed, added or removed',
  signature: 'the signature does not fit the content',
  wording: 'the wording is not the one that was recorded',
  seal: 'the seal does not fit the content',
  foreign_key: 'it is not signed with a published key',
  foreign_chain: 'its seal contradicts a published checkpoint',
};

const LEVELS: Readonly<Record<ProofLevel, string>> = {
  anchored: 'sealed, and covered by a published checkpoint',
  sealed: 'sealed, but not covered by one of the given checkpoints',
  signed: 'signed, not sealed yet; a proof made some minutes later is',
};

const verify = command(
  'verify-consent',
  'Checks a proof of a consent offline. Exits with 1 if the proof is not valid.',
)
  .argument('<file>', 'the proof')
  .option(
    '--checkpoints <files...>',
    'answers of GET /api/consent-checkpoints, or texts with lines of checkpoints, such as kept e-mails',
  )
  .action(async (file, { checkpoints = [] }) => {
    const result = await verifyConsentProof(readBytes(file), published(checkpoints));
    if (!result.ok) {
      console.log(`Not valid: ${FAULTS[result.what]}.`);
      fail();
      return;
    }
    const { proof, level, sealedAt, isKeyPublished } = result;
    console.log(`Valid: ${LEVELS[level]}.`);
    if (!isKeyPublished) console.log('The key is not compared: no published key was given.');
    const facts = {
      lead: proof.lead.number,
      seller: proof.seller?.name,
      person: JSON.stringify(proof.person),
      consent: JSON.stringify(proof.consent),
      wording: proof.wording,
      recorded: proof.recorded_at,
      sealed: sealedAt,
      withdrawn: proof.withdrawn_at,
    };
    for (const [name, value] of Object.entries(facts))
      if (value !== undefined) console.log(`${name}: ${value}`);
  });
await run(verify);

function readBytes(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new StartError(`${file} cannot be read (${systemCode(error) ?? 'unknown error'}).`);
  }
}

/** @throws StartError for a file without checkpoints */
function published(files: readonly string[]): Published {
  const found = files.map((file) => {
    const one = publishedIn(readText(file));
    if (one.checkpoints.length === 0) throw new StartError(`There is no checkpoint in ${file}.`);
    return one;
  });
  return {
    checkpoints: found.flatMap(({ checkpoints }) => checkpoints),
    keys: found.flatMap(({ keys }) => keys),
  };
}
