import { connect as connectSocket, type Socket } from 'node:net';
import type { Guard } from '#functions/net/guard';

/** @throws AddressRefused for an address that is not public; Error with the operating system's code */
export async function openSocket(
  guard: Guard,
  options: { readonly host: string; readonly port: number; readonly timeout: number },
): Promise<Socket> {
  const { host, port, timeout } = options;
  guard.check(host);
  return new Promise((resolve, reject) => {
    const socket = connectSocket({ host, port, lookup: guard.lookup, autoSelectFamily: true });
    const timer = setTimeout(() => {
      socket.destroy(Object.assign(new Error('Connection timeout'), { code: 'ETIMEDOUT' }));
    }, timeout);
    socket.once('error', reject).once('close', () => clearTimeout(timer));
    socket.once('connect', () => {
      clearTimeout(timer);
      // Until the caller adds its own listener, an error must not end the process.
      socket.off('error', reject).on('error', () => undefined);
      resolve(socket);
    });
  });
}
