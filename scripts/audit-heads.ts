/** Audit checkpoints that were kept outside the table, in files or a bucket. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ListObjectVersionsCommandOutput } from '@aws-sdk/client-s3';
import type { Head } from '#functions/data/administration/audit-chain-store';
import { headsIn } from '#functions/domain/administration/audit-heads';
import { AUDIT_HEADS_FILE } from '#local/running';
import { StartError } from '#local/start-error';
import { readText } from '#scripts/command';

const BUCKET = /^s3:\/\/([^/]+)\/?$/;

/** @param places by default the file of `npm start` @throws StartError for a place without one */
export async function keptHeads(places = ownHeads()): Promise<Head[]> {
  return (await Promise.all(places.map(readHeads))).flat();
}

function ownHeads(): string[] {
  const { TABLE_NAME, DATA_DIR = '.data' } = process.env;
  const file = join(DATA_DIR, AUDIT_HEADS_FILE);
  return TABLE_NAME === undefined && existsSync(file) ? [file] : [];
}

async function readHeads(place: string): Promise<Head[]> {
  const bucket = BUCKET.exec(place)?.[1];
  const heads = bucket === undefined ? headsIn(readText(place)) : await headsOf(bucket);
  if (heads.length === 0) throw new StartError(`There is no checkpoint in ${place}.`);
  return heads;
}

/** All versions, because a later one may have replaced the first. */
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
