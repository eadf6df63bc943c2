/** Serves the built web app as CloudFront does: hashed files are immutable, paths without an extension and screens get the app's page. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { memoize } from '#functions/platform/memoize';

const zip = promisify(gzip);
const brotli = promisify(brotliCompress);
/** Of 11; above it, compression during a request takes too long. */
const BROTLI_QUALITY = 9;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};
const COMPRESSED = new Set(['.html', '.js', '.css', '.json', '.map', '.svg', '.txt', '.webmanifest']);
/** Their names contain a hash. */
const HASHED = /^\/(assets|admin-assets)\//;

/** Nothing that the file system or a decoder could read as another path. */
const PLAIN_PATH = /^(?:\/[\w-]+(?:\.[\w-]+)*)+$/;

/** Undefined: no file can have this path. */
export function webFile(path: string): string | undefined {
  if (extname(path) !== '' && !path.startsWith('/dashboard/'))
    return PLAIN_PATH.test(path) ? path : undefined;
  return isEncoded(path) ? '/index.html' : undefined;
}

/** Some file systems ignore case. */
export const isAdminFile = (file: string): boolean => file.toLowerCase().startsWith('/admin-assets/');

interface StoredFile {
  readonly content: Buffer;
  /** Smallest first; none for compressed formats. */
  readonly encodings: readonly (readonly [name: string, encode: () => Promise<Buffer>])[];
  readonly etag: string;
  readonly type: string;
}

/** Their names contain a hash, so all servers of this process share them. */
const hashedFiles = new Map<string, StoredFile>();

export class WebFiles {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async serve(name: string | undefined, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const file = name === undefined ? undefined : await this.#read(name);
    if (name === undefined || file === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('Not found');
      return;
    }
    response.setHeader('content-type', file.type);
    response.setHeader(
      'cache-control',
      HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
    );
    response.setHeader('etag', file.etag);
    response.setHeader('vary', 'accept-encoding');
    if (request.headers['if-none-match'] === file.etag) {
      response.writeHead(304).end();
      return;
    }
    const accepted = String(request.headers['accept-encoding']).split(/[\s,;]+/);
    const [encoding, encode] = file.encodings.find(([name]) => accepted.includes(name)) ?? [];
    const content = (await encode?.()) ?? file.content;
    if (encoding !== undefined) response.setHeader('content-encoding', encoding);
    response.setHeader('content-length', content.length);
    response.writeHead(200).end(request.method === 'HEAD' ? undefined : content);
  }

  async #read(name: string): Promise<StoredFile | undefined> {
    const path = join(this.#root, name);
    const known = hashedFiles.get(path);
    if (known !== undefined) return known;
    let content: Buffer;
    try {
      content = await readFile(path);
    } catch {
      return undefined;
    }
    const extension = extname(name).toLowerCase();
    const file: StoredFile = {
      content,
      encodings: COMPRESSED.has(extension) ? encodingsOf(content) : [],
      etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
      type: TYPES[extension] ?? 'application/octet-stream',
    };
    // Other files change when the app is built again.
    if (HASHED.test(name)) hashedFiles.set(path, file);
    return file;
  }
}

function encodingsOf(content: Buffer): StoredFile['encodings'] {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  return [
    ['br', memoize(() => brotli(content, { params }))],
    ['gzip', memoize(() => zip(content))],
  ];
}

/** Decodable, and without NUL. */
function isEncoded(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes('\0');
  } catch {
    return false;
  }
}
