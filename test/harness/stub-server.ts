/** An external server that answers as set, hangs or cuts the connection, and records its requests. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StubCall {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
/** `cut`: ends the connection after it has read the request; `cut-answer`: in the middle of the answer. */
export type StubAnswer =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string | object }
  | 'hang'
  | 'cut'
  | 'cut-answer';

export interface StubServer {
  /** `http://127.0.0.1:{port}` */
  readonly url: string;
  /** `127.0.0.1:{port}` */
  readonly host: string;
  readonly calls: StubCall[];
  /** Sets the next answers. */
  answer: (call: StubCall) => StubAnswer | Promise<StubAnswer>;
  stop(): Promise<void>;
}

export async function startStub(answer: StubServer['answer'] = () => ({})): Promise<StubServer> {
  const calls: StubCall[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const call: StubCall = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      calls.push(call);
      void respond(call, request, response);
    });
  });
  const respond = async (call: StubCall, request: IncomingMessage, response: ServerResponse) => {
    const result = await stub.answer(call);
    if (result === 'hang') return;
    if (result === 'cut') {
      request.socket.destroy();
      return;
    }
    if (result === 'cut-answer') {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"status": tr', () => request.socket.destroy());
      return;
    }
    const body = typeof result.body === 'object' ? JSON.stringify(result.body) : (result.body ?? '');
    response.writeHead(result.status ?? 200, { 'content-type': 'application/json', ...result.headers });
    response.end(body);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stub: StubServer = {
    url: `http://${host}`,
    host,
    calls,
    answer,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return stub;
}
