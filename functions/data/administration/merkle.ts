/** The Merkle tree of RFC 6962 over the leaves of a link: a path proves one leaf without showing the others. */
import { createHash } from 'node:crypto';
import type { PathStep } from '#shared/rules/consent-proof';

type Leaf = readonly string[];

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

function hash(...parts: readonly (Buffer | string)[]): Buffer {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(part);
  return sum.digest();
}

/** From the hashes of the leaves up to the root. A node without a partner moves up unchanged. */
function levelsOf(leaves: readonly Leaf[]): Buffer[][] {
  let level = leaves.map((leaf) => hash(LEAF, JSON.stringify(leaf)));
  const levels = [level];
  while (level.length > 1) {
    const below = level;
    level = below.flatMap((left, at) => {
      const right = below[at + 1];
      if (at % 2 === 1) return [];
      return right === undefined ? left : hash(NODE, left, right);
    });
    levels.push(level);
  }
  return levels;
}

export const merkleRoot = (leaves: readonly Leaf[]): string =>
  (levelsOf(leaves).at(-1)?.[0] ?? hash()).toString('base64url');

/** From the leaf up to the root. */
export function merklePath(leaves: readonly Leaf[], of: number): PathStep[] {
  return levelsOf(leaves).flatMap((level, height) => {
    const at = Math.floor(of / 2 ** height);
    const sibling = level[at % 2 === 0 ? at + 1 : at - 1]?.toString('base64url');
    if (sibling === undefined) return [];
    return at % 2 === 0 ? { right: sibling } : { left: sibling };
  });
}
