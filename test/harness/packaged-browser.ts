/** The browser from the package registry, for machines without one: headless Chromium with its libraries and fonts. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { LaunchOptions } from 'playwright-core';
import * as z from 'zod/mini';

export const PACKAGE = '@sparticuz/chromium';

const CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache');
/** Starts programs built for glibc. */
const GLIBC = '/lib64/ld-linux-x86-64.so.2';
const ARCHIVES = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br'];

/** Used instead of the package's configuration, which has folders of AWS Lambda. */
const FONTS_CONF = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/**
 * Unpacks it (about 210 MB) into node_modules/.cache if it is missing.
 * @throws Error if the package's binary does not run
 */
export async function packagedBrowser(): Promise<Required<Pick<LaunchOptions, 'executablePath' | 'env'>>> {
  const platform = `${process.platform}-${process.arch}`;
  if (platform !== 'linux-x64' || !existsSync(GLIBC))
    throw new Error(
      `There is no browser for the tests: ${PACKAGE} runs on Linux x64 with glibc, this is ${platform}. Install Chrome, Chromium or Edge, or set CHROME_PATH to the program of one.`,
    );
  const root = dirname(dirname(createRequire(import.meta.url).resolve(PACKAGE)));
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')));
  const folder = join(CACHE, `chromium-${version}`);
  if (!existsSync(folder))
    await unpack(
      ARCHIVES.map((name) => join(root, 'bin', name)),
      folder,
    );
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_PATH: join(folder, 'fonts'),
      XDG_CACHE_HOME: folder,
    },
  };
}

/**
 * The package unpacks into the system's temporary folder and reuses any file there with the right name. So a separate
 * process unpacks into a new temporary folder next to the target, which is then renamed atomically. Two processes can do this
 * concurrently.
 */
async function unpack(archives: readonly string[], folder: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const unfinished = await mkdtemp(`${folder}-`);
  try {
    await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', join(import.meta.dirname, 'unpack-browser.ts'), ...archives],
      { cwd: import.meta.dirname, env: { ...process.env, TMPDIR: unfinished } },
    );
    await writeFile(join(unfinished, 'fonts', 'fonts.conf'), FONTS_CONF);
    await rename(unfinished, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
