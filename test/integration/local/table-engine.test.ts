import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, describe, expect, it } from 'vitest';
import { type Engine, startEngine } from '#local/engine';

const folder = join(tmpdir(), `engine-${randomUUID()}`);
const running: Engine[] = [];
const start = async (file: string) => {
  const engine = await startEngine({ file });
  running.push(engine);
  return engine;
};

afterEach(async () => {
  await Promise.all(running.splice(0).map((engine) => engine.stop()));
  await rm(folder, { recursive: true, force: true });
});

describe('the table engine', () => {
  it.skipIf(process.platform === 'darwin')(
    'listens at an address that browser pages cannot reach',
    async () => {
      const engines = await Promise.all(['one', 'two'].map((name) => start(join(folder, `${name}.db`))));
      const hosts = engines.map(({ endpoint }) => new URL(endpoint).hostname);
      expect(new Set([...hosts, '127.0.0.1']).size).toBe(3);
      for (const host of hosts) expect(host).toMatch(/^127(\.\d+){3}$/);
    },
  );

  it('reads its stream by index, so that the cost of a write is constant', async () => {
    const file = join(folder, 'table.db');
    await (await start(file)).stop();
    const database = new Database(file);
    const plan = database
      .prepare(
        'EXPLAIN QUERY PLAN SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = ?',
      )
      .all('leads');
    database.close();
    expect(JSON.stringify(plan)).toContain('stream_by_table');
  });
});
