import { once } from 'node:events';
import type { Server } from 'node:net';
import { systemCode } from '#local/start-error';

/** @param port 0: any free one @throws Error with a system code (`EADDRINUSE`, `EACCES`) */
export async function listen(server: Server, port: number, host = '127.0.0.1'): Promise<number> {
  server.listen(port, host);
  // Rejects if the server reports an error first.
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return address.port;
}

/** On loopback, on any free port if the wanted one is taken. */
export async function listenNear(server: Server, wanted: number): Promise<number> {
  try {
    return await listen(server, wanted);
  } catch (error) {
    if (wanted === 0 || systemCode(error) !== 'EADDRINUSE') throw error;
    return listen(server, 0);
  }
}
