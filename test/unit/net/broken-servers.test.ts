/** Invalid HTTP answers: every call ends, with the readable part or the stage reached. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createGuard } from '#functions/net/guard';
import { createHttp, HttpFailure } from '#functions/net/http';

const MOST_BYTES = 256 * 1024;
const answer = (body: string, headers = '') =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nConnection: close\r\n${headers}\r\n${body}`;
const endless = 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n';
/** A few kilobytes that decompress to two hundred megabytes. */
const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024)).toString('latin1');

async function called(misbehave: (socket: Socket) => unknown): Promise<unknown> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => void misbehave(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const http = createHttp(createGuard({ allowPrivate: true }), { connections: 1 });
  try {
    const { status, body } = await http({ method: 'POST', url, body: '{}', timeout: 20_000 });
    return [status, body.length];
  } catch (error) {
    return error instanceof HttpFailure ? error.kind : error;
  } finally {
    server.close();
  }
}

it.each<[string, (socket: Socket) => unknown, unknown]>([
  ['no body', (socket) => socket.end(answer('')), [200, 0]],
  [
    'a hundred interim answers',
    (socket) => socket.end(`${'HTTP/1.1 102 Wait\r\n\r\n'.repeat(100)}${answer('ok')}`),
    [200, 2],
  ],
  [
    'a trickling answer',
    async (socket) => {
      for (const character of answer('ok')) {
        socket.write(character);
        await wait(1);
      }
    },
    [200, 2],
  ],
  [
    'an endless body',
    async (socket) => {
      socket.write(endless);
      for (; !socket.destroyed; await wait(1)) socket.write('x'.repeat(64 * 1024));
    },
    [200, MOST_BYTES],
  ],
  [
    'a compressed body, which stays compressed',
    (socket) => socket.end(answer(bomb, 'Content-Encoding: gzip\r\n'), 'latin1'),
    [200, expect.any(Number)],
  ],
  [
    'half an answer',
    (socket) => socket.write(answer('ok').slice(0, -1), () => socket.destroy()),
    'no_answer',
  ],
  [
    'a megabyte of headers',
    (socket) => socket.end(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(1_000_000)}\r\n\r\n`),
    'no_answer',
  ],
  ['another protocol', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), 'no_answer'],
])('a call answered with %s ends', async (_, misbehave, result) => {
  expect(await called(misbehave)).toEqual(result);
});
