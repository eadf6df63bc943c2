import { type IncomingHttpHeaders, request } from 'node:http';

export interface RawRequest {
  readonly method?: string;
  readonly headers?: IncomingHttpHeaders;
  readonly body?: string;
}

/**
 * Sends path and headers, including `Host`, exactly as given, which `fetch` does not.
 * @param base the server's address
 */
export function sendRaw(
  base: string,
  path: string,
  { method = 'GET', headers = {}, body: content }: RawRequest = {},
): Promise<{ readonly status: number; readonly body: string }> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += String(chunk);
      });
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    sent.once('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, body: '' });
    });
    sent.once('error', reject);
    sent.end(content);
  });
}
