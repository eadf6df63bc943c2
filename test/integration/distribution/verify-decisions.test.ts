import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { keys } from '#functions/data/table/keys';
import type { Table } from '#functions/data/table/table';
import { takeIn } from '#functions/domain/distribution/distribution';
import { aPerson } from '#test/factories/people';
import { bundledProgram } from '#test/harness/bundled-program';
import { addBuyers, distributionOn } from '#test/harness/distribution';
import type { TestEngine } from '#test/harness/engine';
import { it } from '#test/harness/fixtures';

let table: Table;
let leadId = '';
it.beforeAll(async ({ engine }) => {
  table = await engine.freshTable();
  await addBuyers(table, [
    { id: 'a', probability: 60, limit: 5 },
    { id: 'b', probability: 40, limit: 5 },
  ]);
  const deps = distributionOn(table);
  // One of them by hand, and the last two wait for room.
  for (let lead = 0; lead < 12; lead += 1) {
    const result = await takeIn(deps, aPerson(), lead === 3 ? 'b' : undefined);
    if (lead === 0) leadId = result.lead_id;
  }
});

async function verifyDecisions({ endpoint }: TestEngine): Promise<{ code: number; output: string }> {
  const run = promisify(execFile)(
    process.execPath,
    [await bundledProgram('scripts/verify.ts'), 'decisions'],
    {
      env: { ...process.env, TABLE_NAME: table.name, DYNAMODB_ENDPOINT: endpoint },
    },
  );
  return run.then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, output: error.stdout }),
  );
}

it('finds that all decisions of a table agree', async ({ engine }) => {
  const { code, output } = await verifyDecisions(engine);
  expect(output).toBe(
    '12 leads: 12 decisions agree, 0 do not; for 0 no choice was made (held by a check, or on their way)\n',
  );
  expect(code).toBe(0);
});

it('finds a decision that was tampered with', async ({ engine }) => {
  const record = await table.get(keys.decision(leadId));
  const eligible = JSON.parse(String(record?.eligible)) as [number, number, number][];
  const loser = eligible.find(([buyer]) => buyer !== record?.winner)?.[0];
  await table.update({
    key: keys.decision(leadId),
    update: 'SET winner = :loser',
    values: { ':loser': loser },
  });
  const { code, output } = await verifyDecisions(engine);
  expect(code).toBe(1);
  expect(output).toContain(
    `${leadId}: buyer ${String(loser)} is named, the rule chooses ${String(record?.winner)}`,
  );
  expect(output).toContain('11 decisions agree, 1 do not');
});
