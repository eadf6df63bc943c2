/** Stubbed command lines for the pipeline's scripts, found before the real ones. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll } from 'vitest';
import { ROOT } from '#cdk/bundling';

export interface FakeCommands {
  readonly folder: string;
  /** @param answers the bash code that runs instead of the command */
  readonly fake: (command: string, answers: string) => void;
  readonly run: (
    script: string,
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ) => { readonly status: number | null; readonly said: string };
}

/** Deletes the folder after the file's tests. */
export function fakeCommands(): FakeCommands {
  const folder = mkdtempSync(join(tmpdir(), 'fake-commands-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return {
    folder,
    fake: (command, answers) => {
      writeFileSync(join(folder, command), `#!/usr/bin/env bash\n${answers}\n`);
      chmodSync(join(folder, command), 0o755);
    },
    run: (script, args, env = {}) => {
      const { status, stdout, stderr } = spawnSync(join(ROOT, 'scripts', script), args, {
        encoding: 'utf8',
        env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}`, ...env },
      });
      return { status, said: stdout + stderr };
    },
  };
}
