import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Table } from '#functions/data/table/table';

/** A table that takes the first request and never answers it, and answers all later ones. */
let server: Server;
let requests = 0;
beforeAll(async () => {
  server = createServer((_, response) => {
    requests += 1;
    if (requests === 1) return;
    response.setHeader('content-type', 'application/x-amz-json-1.0');
    response.end(JSON.stringify({ Attributes: { pk: { S: 'A' } } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it('sends a write that gets no answer again instead of waiting without end', async () => {
  const { port } = server.address() as AddressInfo;
  const table = new Table({ name: 'any', endpoint: `http://127.0.0.1:${port}` });
  const written = await table.update({
    key: { pk: 'A', sk: 'B' },
    update: 'SET a = :a',
    values: { ':a': 1 },
  });
  expect(written).toEqual({ ok: true, item: { pk: 'A' } });
  expect(requests).toBe(2);
}, 30_000);
