/**
 * Schemathesis tests the running product against its API document, with and without a session: allowed requests
 * must be accepted, others rejected, and every answer must match. https://schemathesis.readthedocs.io
 *
 * Usage: node --import tsx test/judges/schemathesis.ts [examples per operation] [more schemathesis options]
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Route, routes } from '#shared/contract/routes';
import { aLeadRequest } from '#test/factories/people';
import { addTemplate, openOrder, startTestCloud, type TestCloud } from '#test/harness/cloud';
import { pythonTool, run } from '#test/judges/python';

/** Pinned, because new ways to generate requests must not fail an unrelated change. */
const VERSION = '4.32.5';

/** Replaced by the checks in `as_documented.py`, which also cover rules that the document describes in words. */
const ASKED_OTHERWISE = ['negative_data_rejection', 'positive_data_acceptance'];
const CHECKS = fileURLToPath(new URL('as_documented.py', import.meta.url));

/** It would end the session of the run. */
const NOT_CALLED = 'logout';

/** The probability of an existing parameter value; otherwise it is random. */
const KNOWN = 0.5;

/** Paths that another path with a parameter also matches, which has more methods: `/api/buyers/active`. */
function pathsWithinOthers(): string[] {
  const all = [...new Set(Object.values<Route>(routes).map(({ path }) => path))];
  const takes = (other: string, path: string) =>
    other !== path && new RegExp(`^${other.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
  return all.filter((path) => all.some((other) => takes(other, path)));
}

/** Existing values for parameters. */
async function stored(cloud: TestCloud): Promise<Readonly<Record<string, string | number>>> {
  const id = await addTemplate(cloud);
  const { buyer_id: buyerId, orderId, token } = await openOrder(cloud.admin, { email_template_id: id }, 1000);
  const { lead_id: leadId } = await cloud.admin.ok('createLead', { body: aLeadRequest() });
  return { id, buyerId, orderId, token, leadId };
}

/** Schemathesis's configuration, in TOML. */
const settings = (known: Readonly<Record<string, string | number>>) => `
hooks = ${JSON.stringify(CHECKS)}

[[operations]]
include-path = ${JSON.stringify(pathsWithinOthers())}
checks.unsupported_method.enabled = false
checks.allow_header_conformance.enabled = false

[checks.negative_data_rejection]
expected-statuses = ["4xx"]

[dictionaries]
${Object.entries(known)
  .map(([name, value]) => `${name} = { values = [${JSON.stringify(value)}] }`)
  .join('\n')}

[parameters]
${Object.keys(known)
  .map((name) => `"path.${name}" = { dictionary = "${name}", probability = ${KNOWN} }`)
  .join('\n')}
`;

async function judge(tool: string, examples: string, further: readonly string[]): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'schemathesis-'));
  const cloud = await startTestCloud();
  try {
    await writeFile(join(folder, 'schemathesis.toml'), settings(await stored(cloud)));
    const session = `session=${cloud.admin.cookies.get('session') ?? ''}`;
    const common = [
      'run', `${cloud.url}/api/openapi.json`, '--url', cloud.url,
      '--phases', 'examples,coverage,fuzzing,stateful', '--max-examples', examples,
      '--exclude-checks', ASKED_OTHERWISE.join(','), '--exclude-operation-id', NOT_CALLED,
      '--suppress-health-check', 'all', '--generation-deterministic', '--continue-on-failure', '--no-color',
      ...further,
    ]; // biome-ignore format: pairs of options
    const without = await run(tool, common, folder);
    const within = await run(tool, [...common, '--header', `Cookie: ${session}`], folder);
    return without && within;
  } finally {
    await cloud.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const [, , examples = '15', ...further] = process.argv;
const tool = pythonTool('schemathesis', VERSION);
if (tool !== undefined && !(await judge(tool, examples, further))) process.exitCode = 1;
