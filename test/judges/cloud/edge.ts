/** A plain address for a distribution: its own host name is known to the emulator alone, and has no certificate. */
import { createServer, request } from 'node:http';
import { listenNear } from '#local/listen';

export interface Edge {
  readonly url: string;
  stop(): Promise<void>;
}

/** @param domain of the distribution, such as `d111111abcdef8.cloudfront.net` */
export async function startEdge(endpoint: string, domain: string, port = 0): Promise<Edge> {
  const server = createServer((viewer, answer) => {
    const { method, url, headers } = viewer;
    const sent = {
      ...headers,
      host: domain,
      ...(headers.origin !== undefined && { origin: `https://${domain}` }),
    };
    const upstream = request(endpoint, { method, path: url, headers: sent }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.rawHeaders);
      reply.pipe(answer);
    });
    upstream.once('error', (error) => answer.destroy(error));
    viewer.pipe(upstream);
  });
  const taken = await listenNear(server, port);
  return {
    url: `http://localhost:${taken}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
