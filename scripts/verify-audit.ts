/** `npm run verify-audit`: says which entries of the audit trail were changed, removed or inserted. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ListObjectVersionsCommandOutput } from '@aws-sdk/client-s3';
import * as auditChainStore from '#functions/data/administration/audit-chain-store';
import { type Head } from '#functions/data/administration/audit-chain-store';
import * as auditStore from '#functions/data/administration/audit-store';
import { verifyAudit } from '#functions/domain/administration/audit-check';
import { headsIn } from '#functions/domain/administration/audit-heads';
import { AUDIT_HEADS_FILE } from '#local/running';
import { StartError } from '#local/start-error';
import { command, fail, readText, run } from '#scripts/command';
import { TABLE_HELP, withWholeTable } from '#scripts/table';

const MAX_SHOWN = 200;
const BUCKET = /^s3:\/\/([^/]+)\/?$/;

await run(
  command(
    'verify-audit',
    'Says which entries of the audit trail were changed, removed or inserted. Ends with 1 when one was.',
  )
    .option(
      '--heads <places...>',
      'files with heads that were kept (saved e-mails, lines of heads), or s3://BUCKET; by default the file in DATA_DIR',
    )
    .addHelpText('after', TABLE_HELP)
    .action(({ heads }) => verify(heads ?? ownHeads())),
);

/** The file that `npm start` keeps beside its table. */
function ownHeads(): string[] {
  const { TABLE_NAME, DATA_DIR = '.data' } = process.env;
  const file = join(DATA_DIR, AUDIT_HEADS_FILE);
  return TABLE_NAME === undefined && existsSync(file) ? [file] : [];
}

async function verify(places: readonly string[]): Promise<void> {
  const heads = (await Promise.all(places.map(readHeads))).flat();
  const { links, intact, waiting, newest, findings, ...kept } = await withWholeTable((table) =>
    verifyAudit(auditChainStore.links({ table }), table.scan(), auditStore.listed({ table }), heads),
  );
  for (const finding of findings.slice(0, MAX_SHOWN)) console.log(finding);
  if (findings.length > MAX_SHOWN) console.log(`and ${findings.length - MAX_SHOWN} more`);
  console.log(
    `${intact} entries are as they were written, ${waiting} too new to be sealed; ${findings.length} findings. ` +
      `${links} links, ${newest === undefined ? 'no head' : `the head is ${newest.hash} of ${newest.sealed_at}`}; ` +
      (heads.length === 0
        ? 'compared with no head kept outside, so a chain that was written again or cut off is not seen (--heads)'
        : `${kept.heads} of ${heads.length} heads kept outside agree`),
  );
  if (findings.length > 0) fail();
}

/** @throws StartError when there is no head */
async function readHeads(place: string): Promise<Head[]> {
  const bucket = BUCKET.exec(place)?.[1];
  const heads = bucket === undefined ? headsIn(readText(place)) : await headsOf(bucket);
  if (heads.length === 0) throw new StartError(`There is no head in ${place}.`);
  return heads;
}

/** Of every version of every object: a later one may have been put over the first. */
async function headsOf(bucket: string): Promise<Head[]> {
  const { GetObjectCommand, ListObjectVersionsCommand, S3Client } = await import('@aws-sdk/client-s3');
  const client = new S3Client({});
  try {
    const heads: Head[] = [];
    let from: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } | undefined = {};
    while (from !== undefined) {
      const { Versions, IsTruncated, NextKeyMarker, NextVersionIdMarker }: ListObjectVersionsCommandOutput =
        await client.send(new ListObjectVersionsCommand({ Bucket: bucket, ...from }));
      for (const { Key, VersionId } of Versions ?? []) {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key, VersionId }));
        heads.push(...headsIn((await Body?.transformToString()) ?? ''));
      }
      from =
        IsTruncated === true ? { KeyMarker: NextKeyMarker, VersionIdMarker: NextVersionIdMarker } : undefined;
    }
    return heads;
  } finally {
    client.destroy();
  }
}
