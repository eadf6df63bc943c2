/** The packages that the product runs with, read from the lock file and the installed folders. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';

/** Why each package is there that `package.json` names for running; ADR 16 has the alternatives. */
const REASONS: Readonly<Record<string, string>> = {
  '@aws-sdk/client-dynamodb': 'the table',
  '@aws-sdk/client-s3': 'exports that are too large for an answer',
  '@aws-sdk/client-secrets-manager': 'keys in the cloud',
  '@aws-sdk/client-ses': 'e-mails of the platform to its operator',
  '@aws-sdk/client-sqs': 'queues of deliveries and notices',
  '@aws-sdk/cloudfront-signer': 'cookies for the files of the admin app',
  '@aws-sdk/credential-provider-env': 'credentials of a function, without the other providers',
  '@aws-sdk/lib-dynamodb': 'values of the table as plain objects',
  '@aws-sdk/s3-request-presigner': 'links to exports',
  '@aws-sdk/util-dynamodb': 'items of the table’s stream as plain objects',
  '@datadog/sketches-js': 'quantiles of how long leads take, as sketches that can be added',
  '@fontsource-variable/inter': 'the font of both web apps',
  '@mantine/core': 'components of both web apps',
  '@mantine/form': 'forms of both web apps',
  '@mantine/hooks': 'required by the components',
  '@middy/core': 'what every call goes through, in order',
  '@middy/http-header-normalizer': 'names of headers in lower case',
  '@middy/http-security-headers': 'headers that protect answers',
  '@simplewebauthn/browser': 'passkeys in the browser',
  '@simplewebauthn/server': 'passkeys: what they sign is checked',
  '@tabler/icons-react': 'icons of both web apps',
  '@tanstack/react-query': 'answers of the API in the web apps: loading, refreshing, rolling back',
  '@tanstack/react-virtual': 'long tables that stay fast',
  'aws-cdk-lib': 'the cloud; no function contains it',
  constructs: 'required by aws-cdk-lib',
  'csv-stringify': 'exports as CSV',
  fflate: 'files for import: unpacks XLSX',
  'ipaddr.js': 'ranges of addresses that nothing may connect to',
  jose: 'signed session cookies',
  'libphonenumber-js': 'phone numbers: validity and spelling',
  nodemailer: 'e-mails over a template’s mail server',
  papaparse: 'files for import: CSV, and the file of their results',
  react: 'both web apps',
  'react-dom': 'both web apps',
  'read-excel-file': 'files for import: XLSX',
  recharts: 'charts of the statistics',
  'swagger-ui-dist': 'the page of the API document',
  standardwebhooks: 'signatures of what sources are told',
  ulid: 'ids that sort by time',
  wouter: 'addresses of the screens',
  xlsx: 'exports as XLSX',
  zod: 'checks of everything that comes from outside',
  '@dynoxide/darwin-arm64': 'the local table’s engine',
  '@dynoxide/darwin-x64': 'the local table’s engine',
  '@dynoxide/linux-arm64': 'the local table’s engine',
  '@dynoxide/linux-x64': 'the local table’s engine',
  '@dynoxide/win32-x64': 'the local table’s engine',
};

/** Licences that ask for no more than to be named; of a choice (`OR`) one of these is enough. */
const ALLOWED_LICENCES: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  // Of fonts: served as they are, under their own name.
  'OFL-1.1',
  'Unlicense',
]);

interface Package {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Of its folder, without packages inside it; undefined where it is for another platform. */
  readonly bytes: number | undefined;
  /** Undefined for what only other packages ask for. */
  readonly reason: string | undefined;
  /** For what only other packages ask for: two of them at most. */
  readonly askedForBy: readonly string[];
}

export interface Supply {
  /** Those that `package.json` names first, then by name. */
  readonly packages: readonly Package[];
  readonly complaints: readonly string[];
}

const names = z.optional(z.record(z.string(), z.string()));
const manifestSchema = z.object({ dependencies: names, optionalDependencies: names });
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      name: z.optional(z.string()),
      version: z.optional(z.string()),
      license: z.optional(z.string()),
      dev: z.optional(z.boolean()),
      hasInstallScript: z.optional(z.boolean()),
      dependencies: names,
      peerDependencies: names,
    }),
  ),
});
const MAX_ASKING_SHOWN = 2;
const INSIDE = 'node_modules/';

/** @param root the folder of `package.json` @throws when the lock file cannot be read */
export function readSupply(root: string): Supply {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const manifest = manifestSchema.parse(read('package.json'));
  const { packages: locked } = lockSchema.parse(read('package-lock.json'));
  const direct = new Set(Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }));

  const complaints: string[] = [];
  const found = new Map<string, Package>();
  const running = Object.entries(locked).filter(([path, { dev }]) => path !== '' && dev !== true);
  for (const [path, { name, version = '', license = 'none', hasInstallScript }] of running) {
    const called = name ?? nameOf(path);
    const id = `${called} ${version}`;
    const reason = path === INSIDE + called && direct.has(called) ? REASONS[called] : undefined;
    if (hasInstallScript === true) complaints.push(`${id} has an install script`);
    if (!isAllowed(license)) complaints.push(`${id} has the licence ${license}`);
    if (direct.has(called) && REASONS[called] === undefined) complaints.push(`${called} has no reason`);
    const bytes = sizeOf(join(root, path));
    const askedForBy = running
      .filter(
        ([, { dependencies, peerDependencies }]) => nameOf(path) in { ...dependencies, ...peerDependencies },
      )
      .map(([other]) => nameOf(other));
    const known = found.get(id);
    // The same version may lie in several places.
    if (known === undefined || known.reason === undefined)
      found.set(id, { name: called, version, licence: license, bytes, reason, askedForBy });
  }
  for (const name of Object.keys(REASONS))
    if (!direct.has(name)) complaints.push(`${name} has a reason and is not there`);
  const packages = [...found.values()].toSorted(
    (one, other) =>
      Number(one.reason === undefined) - Number(other.reason === undefined) ||
      one.name.localeCompare(other.name) ||
      one.version.localeCompare(other.version),
  );
  return { packages, complaints: [...new Set(complaints)] };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf(INSIDE) + INSIDE.length);
}

/** @param licence an SPDX expression; `AND` binds closer than `OR` */
function isAllowed(licence: string): boolean {
  const choices = licence.replaceAll(/[()]/g, '').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((one) => ALLOWED_LICENCES.has(one.trim())));
}

function sizeOf(folder: string): number | undefined {
  let bytes = 0;
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) bytes += entry.name === 'node_modules' ? 0 : (sizeOf(path) ?? 0);
      else if (entry.isFile()) bytes += statSync(path).size;
    }
  } catch {
    return undefined;
  }
  return bytes;
}

function size(bytes: number | undefined): string {
  return bytes === undefined ? 'not for this machine' : Math.ceil(bytes / 1024).toLocaleString('en');
}

/** In Markdown. */
export function supplyTable({ packages }: Supply): string {
  const rows = packages.map(({ name, version, licence, bytes, reason, askedForBy }) => {
    const asking = [...new Set(askedForBy)].toSorted();
    const more = asking.length > MAX_ASKING_SHOWN ? ` and ${asking.length - MAX_ASKING_SHOWN} more` : '';
    const why =
      reason ??
      `asked for by ${asking.slice(0, MAX_ASKING_SHOWN).join(', ') || 'the package around it'}${more}`;
    return `| ${name} | ${version} | ${licence} | ${size(bytes)} | ${why} |`;
  });
  return ['| package | version | licence | KB | why |', '|---|---|---|---|---|', ...rows].join('\n');
}
