/** Reads audit checkpoints from files or a bucket. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ListObjectVersionsCommandOutput } from '@aws-sdk/client-s3';
import type { Checkpoint } from '#functions/data/administration/audit-chain-store';
import { checkpointsIn } from '#functions/domain/administration/audit-checkpoints';
import { AUDIT_CHECKPOINTS_FILE } from '#local/running';
import { StartError } from '#local/start-error';
import { readText } from '#scripts/command';

const BUCKET = /^s3:\/\/([^/]+)\/?$/;

/** @param destinations by default the file of `npm start` @throws StartError for a destination without checkpoints */
export async function storedCheckpoints(destinations = ownCheckpoints()): Promise<Checkpoint[]> {
  return (await Promise.all(destinations.map(readCheckpoints))).flat();
}

function ownCheckpoints(): string[] {
  const { TABLE_NAME, DATA_DIR = '.data' } = process.env;
  const file = join(DATA_DIR, AUDIT_CHECKPOINTS_FILE);
  return TABLE_NAME === undefined && existsSync(file) ? [file] : [];
}

async function readCheckpoints(destination: string): Promise<Checkpoint[]> {
  const bucket = BUCKET.exec(destination)?.[1];
  const checkpoints =
    bucket === undefined ? checkpointsIn(readText(destination)) : await checkpointsOf(bucket);
  if (checkpoints.length === 0) throw new StartError(`There is no checkpoint in ${destination}.`);
  return checkpoints;
}

/** All versions, because a later one may have replaced the first. */
async function checkpointsOf(bucket: string): Promise<Checkpoint[]> {
  const { GetObjectCommand, ListObjectVersionsCommand, S3Client } = await import('@aws-sdk/client-s3');
  const client = new S3Client({});
  try {
    const checkpoints: Checkpoint[] = [];
    let from: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } | undefined = {};
    while (from !== undefined) {
      const { Versions, IsTruncated, NextKeyMarker, NextVersionIdMarker }: ListObjectVersionsCommandOutput =
        await client.send(new ListObjectVersionsCommand({ Bucket: bucket, ...from }));
      for (const { Key, VersionId } of Versions ?? []) {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key, VersionId }));
        checkpoints.push(...checkpointsIn((await Body?.transformToString()) ?? ''));
      }
      from =
        IsTruncated === true ? { KeyMarker: NextKeyMarker, VersionIdMarker: NextVersionIdMarker } : undefined;
    }
    return checkpoints;
  } finally {
    client.destroy();
  }
}
