import { once } from 'node:events';
import type { Server } from 'node:net';
import { systemCode } from '#local/start-error';

/**
 * @param port 0 for any free one
 * @returns the port
 * @throws Error with the system's code (`EADDRINUSE`, `EACCES`) when it cannot listen there
 */
export async function listen(server: Server, port: number, host = '127.0.0.1'): Promise<number> {
  server.listen(port, host);
  // Rejects when the server reports an error first.
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A server without a port');
  return address.port;
}

/** Listens on the wanted port of loopback, or on any free one if that is taken. @returns the port */
export async function listenNear(server: Server, wanted: number): Promise<number> {
  try {
    return await listen(server, wanted);
  } catch (error) {
    if (wanted === 0 || systemCode(error) !== 'EADDRINUSE') throw error;
    return listen(server, 0);
  }
}
