/** As much of S3 as the exports and erasures of the product ask for: files in a list, without any check. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface MemoryFiles {
  readonly url: string;
  /** By path. */
  readonly stored: Map<string, string>;
  stop(): Promise<void>;
}

export async function startMemoryFiles(): Promise<MemoryFiles> {
  const files = new Map<string, string>();
  const server = createServer((request, response) => {
    void (async () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
      if (request.method === 'PUT') files.set(pathname, await text(request));
      else if (request.method === 'DELETE') files.delete(pathname);
      else if (searchParams.has('list-type')) {
        const folder = `${pathname.replace(/\/$/, '')}/`;
        const prefix = folder + (searchParams.get('prefix') ?? '');
        const names = [...files.keys()].filter((name) => name.startsWith(prefix));
        const contents = names.map((name) => `<Contents><Key>${name.slice(folder.length)}</Key></Contents>`);
        response.setHeader('content-type', 'application/xml');
        return response.end(`<ListBucketResult>${contents.join('')}</ListBucketResult>`);
      } else return response.end(files.get(pathname) ?? '');
      return response.end();
    })();
  });
  server.unref();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    stored: files,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
