/** A call ends in time even if the server switches protocols. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createGuard } from '#functions/net/guard';
import { createHttp } from '#functions/net/http';

it.each([false, true])(
  'a call answered by another protocol ends (closed by the server: %s)',
  async (ends) => {
    const server = createServer((socket) => {
      socket
        .on('error', () => undefined)
        .once('data', () => {
          socket.write(
            'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
          );
          if (ends) socket.end();
        });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const http = createHttp(createGuard({ allowPrivate: true }), { connections: 1 });
    const call = () =>
      http({
        method: 'POST',
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
        body: '{}',
        timeout: 1_000,
      }).then(
        () => 'answered',
        (error: { kind: string }) => error.kind,
      );
    expect(await Promise.race([call(), wait(3_000, 'hangs')])).toBe('no_answer');
    // The connection slot is free for the next call.
    expect(await Promise.race([call(), wait(3_000, 'hangs')])).toBe('no_answer');
    server.close();
  },
);
