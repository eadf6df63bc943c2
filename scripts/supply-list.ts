/** Runtime packages, from the lock file and the installed folders. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';

/** ADR 16 has the alternatives. */
const REASONS: Readonly<Record<string, string>> = {
  '@aws-sdk/client-dynamodb': 'the table',
  '@aws-sdk/client-s3': 'exports too large for an API answer',
  '@aws-sdk/client-secrets-manager': 'reading application keys',
  '@aws-sdk/client-ses': 'e-mails from the platform itself',
  '@aws-sdk/client-sqs': 'queues',
  '@aws-sdk/cloudfront-signer': 'cookies that protect the admin app’s files',
  '@aws-sdk/credential-provider-env': 'credentials inside a function',
  '@aws-sdk/lib-dynamodb': 'table items as plain objects',
  '@aws-sdk/s3-request-presigner': 'links to exports',
  '@aws-sdk/util-dynamodb': 'stream records as plain objects',
  '@datadog/sketches-js': 'mergeable latency quantiles',
  '@fontsource-variable/inter': 'the font of both web apps',
  '@mantine/core': 'components of both web apps',
  '@mantine/form': 'forms of both web apps',
  '@mantine/hooks': 'required by the components',
  '@middy/core': 'middleware of every API call',
  '@middy/http-header-normalizer': 'lower-case header names',
  '@middy/http-security-headers': 'security headers',
  '@simplewebauthn/browser': 'passkeys in the browser',
  '@simplewebauthn/server': 'verifying passkey signatures',
  '@tabler/icons-react': 'icons of both web apps',
  '@tanstack/react-query': 'API calls of the web apps: caching, refreshing, rollback',
  '@tanstack/react-virtual': 'virtual scrolling of long tables',
  'aws-cdk-lib': 'cloud templates; not bundled into functions',
  constructs: 'required by aws-cdk-lib',
  fflate: 'unpacking XLSX imports, packing proofs',
  'ipaddr.js': 'blocking private address ranges',
  jose: 'signed session cookies',
  'libphonenumber-js': 'phone number parsing',
  nodemailer: 'SMTP e-mail',
  papaparse: 'CSV imports and their result file',
  react: 'both web apps',
  'react-dom': 'both web apps',
  'read-excel-file': 'XLSX imports',
  'swagger-ui-dist': 'API documentation page',
  standardwebhooks: 'webhook signatures',
  ulid: 'IDs that sort by time',
  wouter: 'client-side routing',
  xlsx: 'exports as XLSX',
  zod: 'validating all input',
  '@dynoxide/darwin-arm64': 'local DynamoDB engine',
  '@dynoxide/darwin-x64': 'local DynamoDB engine',
  '@dynoxide/linux-arm64': 'local DynamoDB engine',
  '@dynoxide/linux-x64': 'local DynamoDB engine',
  '@dynoxide/win32-x64': 'local DynamoDB engine',
};

/** They require only attribution; one of a choice (`OR`) is enough. */
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
  // For fonts.
  'OFL-1.1',
  'Unlicense',
]);

interface Package {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Without nested packages; undefined on other platforms. */
  readonly bytes: number | undefined;
  /** Undefined: required by other packages only. */
  readonly reason: string | undefined;
}

export interface Supply {
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
    }),
  ),
});
const INSIDE = 'node_modules/';

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
    const known = found.get(id);
    // One version may be installed several times.
    if (known === undefined || known.reason === undefined)
      found.set(id, { name: called, version, licence: license, bytes, reason });
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

/** @param licence SPDX; `AND` binds closer than `OR` */
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

export function supplyTable({ packages }: Supply): string {
  const direct = packages.flatMap(({ name, version, licence, bytes, reason }) =>
    reason === undefined ? [] : [`| ${name} | ${version} | ${licence} | ${size(bytes)} | ${reason} |`],
  );
  const required = packages.filter(({ reason }) => reason === undefined);
  const licences = [...new Set(required.map(({ licence }) => licence))].toSorted().map((one) => {
    const names = required.flatMap(({ name, licence }) => (licence === one ? [name] : []));
    return `| ${one} | \`${[...new Set(names)].join(' ')}\` |`;
  });
  return [
    ['| package | version | licence | KB | purpose |', '|---|---|---|---|---|', ...direct, ''],
    ['These packages require:', '', '| licence | packages |', '|---|---|', ...licences],
  ]
    .flat()
    .join('\n');
}
