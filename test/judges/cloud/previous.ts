/** The release from which an upgrade starts. */
import { spawnSync } from 'node:child_process';
import { ROOT } from '#cdk/bundling';

const FORMAT_FILE = 'functions/data/table/format.ts';
const FORMAT = /TABLE_FORMAT = (\d+)/;
/** What the present dependencies cannot build or the present code cannot read. */
const FRESH_START = [FORMAT_FILE, 'package-lock.json'];

export type Previous = { readonly commit: string; readonly what: string } | { readonly missing: string };

/**
 * The newest release (tag `v*`) in the present table format. While nothing is released: the oldest commit that has this format
 * and builds with the installed dependencies, so that the two differ as much as possible.
 */
export function previousRelease(): Previous {
  if (git('rev-parse', '--is-shallow-repository') === 'true')
    return { missing: 'this checkout has no history: check out with fetch-depth: 0' };
  const format = formatAt('HEAD');
  const tag = git('tag', '--merged', 'HEAD', '--list', 'v*', '--sort=-version:refname')
    .split('\n')
    .find((name) => name !== '' && formatAt(name) === format);
  if (tag !== undefined) return { commit: tag, what: tag };
  const commit = git('log', '-1', '--format=%H', '--', ...FRESH_START);
  if (commit === git('rev-parse', 'HEAD'))
    return { missing: 'format or dependencies are new in this commit, and there is no release before' };
  return { commit, what: git('log', '-1', '--format=%h of %cs', commit) };
}

const formatAt = (commit: string) => FORMAT.exec(git('show', `${commit}:${FORMAT_FILE}`))?.[1];

const git = (...args: string[]) => spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' }).stdout.trim();
