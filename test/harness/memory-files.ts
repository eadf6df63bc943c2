/** The part of S3 that exports and erasures use: files in a list, without checks. */
import { type StubServer, startStub } from '#test/harness/stub-server';

export interface MemoryFiles extends Pick<StubServer, 'url' | 'stop'> {
  /** By path. */
  readonly stored: Map<string, string>;
}

export async function startMemoryFiles(): Promise<MemoryFiles> {
  const stored = new Map<string, string>();
  const stub = await startStub((call) => {
    const { pathname, searchParams } = new URL(call.url, 'http://localhost');
    if (call.method === 'PUT') stored.set(pathname, call.body);
    else if (call.method === 'DELETE') stored.delete(pathname);
    else if (searchParams.has('list-type')) {
      const folder = `${pathname.replace(/\/$/, '')}/`;
      const prefix = folder + (searchParams.get('prefix') ?? '');
      const names = [...stored.keys()].filter((name) => name.startsWith(prefix));
      const contents = names.map((name) => `<Contents><Key>${name.slice(folder.length)}</Key></Contents>`);
      return {
        headers: { 'content-type': 'application/xml' },
        body: `<ListBucketResult>${contents.join('')}</ListBucketResult>`,
      };
    } else return { body: stored.get(pathname) ?? '' };
    return {};
  });
  return { url: stub.url, stop: () => stub.stop(), stored };
}
