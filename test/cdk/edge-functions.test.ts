import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { API_REQUEST, SPA_REWRITE } from '#cdk/constructs/viewer-request';

/** Calls the function like CloudFront. */
function rewritten(uri: string): string {
  const request = { method: 'GET', uri, querystring: {}, headers: {} };
  const handler = runInNewContext(`${SPA_REWRITE}; handler`) as (event: object) => { uri: string };
  return handler({ version: '1.0', request }).uri;
}

describe('the fallback to the app', () => {
  it.each([
    '/',
    '/dashboard',
    '/dashboard/claimed-leads',
    '/leads/Zm9vYmFyLWJhel9xdXV4',
    '/nobody/knows/this',
    '/dashboard/',
    '/v1.2/page',
    '/dashboard/buyers/maier.finanz',
  ])('serves the document for %s', (uri) => {
    expect(rewritten(uri)).toBe('/index.html');
  });

  it.each(['/index.html', '/assets/index-Ab12.js', '/favicon.svg', '/robots.txt', '/assets/missing.css'])(
    'does not change the file %s',
    (uri) => {
      expect(rewritten(uri)).toBe(uri);
    },
  );
});

describe('request headers that CloudFront does not forward to the API', () => {
  const passedOn = (headers: object) => {
    const handler = runInNewContext(`${API_REQUEST}; handler`) as (event: object) => {
      headers: object;
    };
    return handler({ version: '1.0', request: { method: 'GET', uri: '/api/buyers', headers } }).headers;
  };

  it('are copied to headers that it forwards', () => {
    const sent = {
      'accept-encoding': { value: 'gzip, br' },
      'if-none-match': { value: '"a.b.c"' },
      authorization: { value: 'Bearer lds_1a_0' },
    };
    expect(passedOn(sent)).toEqual({
      ...sent,
      'x-accepted-encoding': { value: 'gzip, br' },
      'x-known-tag': { value: '"a.b.c"' },
      'x-authorization': { value: 'Bearer lds_1a_0' },
    });
  });

  it('cannot be set by the client in those headers', () => {
    expect(
      passedOn({
        'x-accepted-encoding': { value: 'gzip' },
        'x-known-tag': { value: '"a.b.c"' },
        'x-authorization': { value: 'Bearer lds_1a_0' },
      }),
    ).toEqual({});
  });
});
