/**
 * Schemathesis calls the running product by its own API document, without and with a session: what the document allows
 * must be accepted, what it forbids refused, and every answer must be as documented. https://schemathesis.readthedocs.io
 *
 * Usage: node --import tsx test/judges/schemathesis.ts [examples for each operation]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestCloud } from '#test/harness/cloud';
import { pythonTool, run } from '#test/judges/python';

/** Left out with the reason. */
const NOT_ASKED = [
  // Refuses what a number may also be written as, which the document says in words: "12.500,50".
  'negative_data_rejection',
  // Business rules depend on stored data, which no schema describes; `test/unit/api/openapi.test.ts` checks the form.
  'positive_data_acceptance',
  // A path with a word in it may match another path with a parameter there, which takes further methods.
  'unsupported_method',
];

async function judge(tool: string, examples: string): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'schemathesis-'));
  const cloud = await startTestCloud();
  try {
    const session = `session=${cloud.admin.cookies.get('session') ?? ''}`;
    const common = [
      'run', `${cloud.url}/api/openapi.json`, '--url', cloud.url,
      '--phases', 'examples,coverage,fuzzing,stateful', '--max-examples', examples,
      '--exclude-checks', NOT_ASKED.join(','), '--exclude-operation-id', 'logout',
      '--suppress-health-check', 'all', '--generation-deterministic', '--continue-on-failure', '--no-color',
    ]; // biome-ignore format: pairs of options
    const without = await run(tool, common, folder);
    const within = await run(tool, [...common, '--header', `Cookie: ${session}`], folder);
    return without && within;
  } finally {
    await cloud.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const tool = pythonTool('schemathesis');
if (tool !== undefined && !(await judge(tool, process.argv[2] ?? '15'))) process.exitCode = 1;
