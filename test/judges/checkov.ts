/** Runs checkov, and compares its findings with those that are accepted. Only the difference is reported. */
import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { z } from 'zod';
import { ACCEPTED, type Acceptance } from '#test/judges/checkov-accepted';

/** Pinned, because a new rule must not fail an unrelated change. */
export const CHECKOV = '3.3.30';

const finding = z.object({
  check_id: z.string(),
  check_name: z.string(),
  file_path: z.string(),
  resource: z.string(),
});
const report = z.object({
  results: z.object({ failed_checks: z.array(finding) }),
  summary: z.object({ passed: z.int().min(1), parsing_errors: z.literal(0) }),
});

type Finding = z.infer<typeof finding>;

const place = (found: Finding) => `${basename(found.file_path, '.template.json')} ${found.resource}`;

const covers = ({ rule, only }: Acceptance, found: Finding) =>
  rule === found.check_id && (only === undefined || only.some((part) => place(found).includes(part)));

/** @returns whether every finding is accepted, and every acceptance is still needed */
export function checkovAccepts(tool: string, templates: readonly string[]): boolean {
  const files = templates.flatMap((template) => ['--file', template]);
  const { stdout, stderr } = spawnSync(
    tool,
    [
      '--framework',
      'cloudformation',
      '--skip-download',
      '--quiet',
      '--compact',
      '--output',
      'json',
      ...files,
    ],
    { encoding: 'utf8', maxBuffer: 2 ** 27 },
  );
  const read = report.safeParse(parsed(stdout));
  if (!read.success) {
    process.stdout.write(`checkov gave no report.\n${stderr}${z.prettifyError(read.error)}\n`);
    return false;
  }
  const found = read.data.results.failed_checks;
  const open = found.filter((one) => !ACCEPTED.some((acceptance) => covers(acceptance, one)));
  const idle = ACCEPTED.filter(
    (acceptance) => acceptance.option !== true && !found.some((one) => covers(acceptance, one)),
  );
  const lines = [
    ...open.map((one) => `${one.check_id} ${one.check_name}: ${place(one)}`),
    ...idle.map(({ rule, only }) => `${rule} ${only?.join(', ') ?? ''} is accepted, but nothing was found`),
    `checkov: ${read.data.summary.passed} checks passed, ${found.length - open.length} findings accepted, ${open.length} open`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return open.length === 0 && idle.length === 0;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
