import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, vi } from 'vitest';
import { Table } from '#functions/data/table/table';

it('resends an unanswered write after a timeout', async () => {
  // A table that never answers the first request, but all later ones.
  const answer = vi.fn((_: IncomingMessage, response: ServerResponse) => {
    if (answer.mock.calls.length === 1) return;
    response.setHeader('content-type', 'application/x-amz-json-1.0');
    response.end(JSON.stringify({ Attributes: { pk: { S: 'A' } } }));
  });
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const table = new Table({ name: 'any', endpoint: `http://127.0.0.1:${port}` });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const written = table.update({ key: { pk: 'A', sk: 'B' }, update: 'SET a = :a', values: { ':a': 1 } });
    while (answer.mock.calls.length < 2) await vi.advanceTimersByTimeAsync(200);
    vi.useRealTimers();
    expect(await written).toEqual({ ok: true, item: { pk: 'A' } });
    expect(answer).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
    server.closeAllConnections();
    server.close();
  }
});
