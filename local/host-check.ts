/**
 * Keeps other web sites away. With DNS rebinding, a site's name resolves to 127.0.0.1 and the browser lets it read answers;
 * only `Host` tells them apart.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';

/** @returns whether it refused and answered */
export type HostCheck = (request: IncomingMessage, response: ServerResponse) => boolean;

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
/** `listen` takes every address of the machine. */
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** RFC 9110, section 7.2; nothing else, such as a user. */
const HOST = /^(\[[\da-f:.]+\]|[^\s:/?#@[\]\\]+)(?::\d+)?$/i;

/** The API checks the origin by what a call requires. */
const isApiPath = (path: string) => /^\/api(?:[/?]|$)/.test(path);

/**
 * If it listens on every address, any address is allowed, because rebinding needs a name. @param checksItself paths that check
 * the origin themselves
 */
export function createHostCheck(
  listensOn = '127.0.0.1',
  publicUrl?: string,
  checksItself = isApiPath,
): HostCheck {
  const names = new Set([
    ...LOOPBACK_NAMES,
    isIP(listensOn) === 6 ? `[${listensOn}]` : listensOn.toLowerCase(),
  ]);
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl);
  if (publicHost !== undefined) names.add(publicHost.hostname);
  const isOurs = (host: string) => {
    const name = HOST.exec(host)?.[1]?.toLowerCase();
    if (name === undefined) return false;
    return names.has(name) || (EVERY_ADDRESS.has(listensOn) && isIP(name.replace(/^\[|\]$/g, '')) !== 0);
  };
  const isSameOrigin = (origin: string, host: string) =>
    URL.canParse(origin) && [host.toLowerCase(), publicHost?.host].includes(new URL(origin).host);

  return (request, response) => {
    const { host = '', origin } = request.headers;
    if (!isOurs(host)) {
      refuse(response, 'foreign_host', 'Open this address as localhost');
      return true;
    }
    if (origin !== undefined && !checksItself(request.url ?? '') && !isSameOrigin(origin, host)) {
      refuse(response, 'foreign_origin', 'Calls from another origin are refused');
      return true;
    }
    return false;
  };
}

function refuse(response: ServerResponse, code: string, error: string): void {
  response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify({ error, code }));
}
