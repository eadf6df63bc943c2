import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ENGINE_PROGRAMS, engineBinary } from '#local/engine';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const read = (file: string): unknown => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
const PLATFORMS = [...ENGINE_PROGRAMS.keys()];

describe('the packages of the table engine', () => {
  it('are optional dependencies, one for each platform', () => {
    const { optionalDependencies } = read('package.json') as { optionalDependencies: object };
    expect(Object.keys(optionalDependencies)).toEqual(PLATFORMS.map((platform) => `@dynoxide/${platform}`));
  });

  it('are in the lock file for their own platform only, all in one version', () => {
    const { packages } = read('package-lock.json') as {
      packages: Record<string, { version: string }>;
    };
    const version = packages['node_modules/@dynoxide/linux-x64']?.version;
    for (const platform of PLATFORMS) {
      const [os, cpu] = platform.split('-');
      expect(packages[`node_modules/@dynoxide/${platform}`]).toMatchObject({
        version,
        os: [os],
        cpu: [cpu],
        optional: true,
      });
    }
  });

  it('are the only packages without a checksum in the lock file, where the registry had none (ADR 4)', () => {
    const { packages } = read('package-lock.json') as {
      packages: Record<string, { integrity?: string; inBundle?: boolean; link?: boolean }>;
    };
    const fromRegistry = Object.entries(packages).filter(
      ([path, { inBundle = false, link = false }]) => path !== '' && !inBundle && !link,
    );
    expect(fromRegistry.length).toBeGreaterThan(500);
    const unchecked = fromRegistry.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'));
    // Exact, so an entry whose checksum appears in the registry must be removed.
    expect(unchecked.map(([path]) => path)).toEqual(
      ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'win32-x64'].map(
        (platform) => `node_modules/@dynoxide/${platform}`,
      ),
    );
  });

  it('are reported if one is missing, with alternatives', () => {
    expect(() => engineBinary('aix-ppc64')).toThrow(
      /^There is no table engine for aix-ppc64: start DynamoDB Local .* set DYNAMODB_ENDPOINT=/,
    );
    const elsewhere = process.platform === 'win32' ? 'darwin-x64' : 'win32-x64';
    expect(() => engineBinary(elsewhere)).toThrow(
      `"npm i --no-save @dynoxide/${elsewhere}"; or start DynamoDB Local`,
    );
  });
});
