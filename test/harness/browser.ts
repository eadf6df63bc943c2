import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { PACKAGE, packagedBrowser } from '#test/harness/packaged-browser';

/**
 * A headless browser: `CHROME_PATH`, else an installed Chrome, Chromium or Edge, else the one from the package registry.
 * `CHROME_PATH=@sparticuz/chromium` always uses the last.
 */
export async function launchBrowser(): Promise<Browser> {
  return await chromium.launch({
    ...(await findBrowser()),
    args: [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

async function findBrowser(): Promise<Pick<LaunchOptions, 'executablePath' | 'env'>> {
  const wanted = process.env.CHROME_PATH;
  if (wanted !== undefined && wanted !== '' && wanted !== PACKAGE) return { executablePath: wanted };
  const installed = wanted === PACKAGE ? undefined : installedBrowser();
  return installed === undefined ? await packagedBrowser() : { executablePath: installed };
}

function installedBrowser(): string | undefined {
  return usualPlaces().find((file) => existsSync(file));
}

function usualPlaces(): readonly string[] {
  if (process.platform === 'win32')
    return below(
      [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA],
      [
        'Google/Chrome/Application/chrome.exe',
        'Chromium/Application/chrome.exe',
        'Microsoft/Edge/Application/msedge.exe',
      ],
    );
  if (process.platform === 'darwin')
    return below(
      ['/Applications', join(homedir(), 'Applications')],
      [
        'Google Chrome.app/Contents/MacOS/Google Chrome',
        'Chromium.app/Contents/MacOS/Chromium',
        'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
      ],
    );
  return below(
    [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin', '/snap/bin'],
    ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'microsoft-edge'],
  );
}

/** All files in all folders, ordered by file first, so that a preferred browser in a later folder wins. */
function below(folders: readonly (string | undefined)[], files: readonly string[]): string[] {
  return files.flatMap((file) =>
    folders.flatMap((folder) => (folder === undefined || folder === '' ? [] : [join(folder, file)])),
  );
}
