import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { ACCEPTED_ENCODING, SPA_REWRITE } from '#cdk/constructs/viewer-request';

/** As CloudFront calls it. */
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
  ])('gives %s the document', (uri) => {
    expect(rewritten(uri)).toBe('/index.html');
  });

  it.each(['/index.html', '/assets/index-Ab12.js', '/favicon.svg', '/robots.txt', '/assets/missing.css'])(
    'leaves the file %s alone',
    (uri) => {
      expect(rewritten(uri)).toBe(uri);
    },
  );
});

describe('the encodings that a call to the API accepts', () => {
  const passedOn = (headers: object) => {
    const handler = runInNewContext(`${ACCEPTED_ENCODING}; handler`) as (event: object) => {
      headers: object;
    };
    return handler({ version: '1.0', request: { method: 'GET', uri: '/api/buyers', headers } }).headers;
  };

  it('are passed on in a header that CloudFront does not change', () => {
    expect(passedOn({ 'accept-encoding': { value: 'gzip, br' } })).toEqual({
      'accept-encoding': { value: 'gzip, br' },
      'x-accepted-encoding': { value: 'gzip, br' },
    });
  });

  it('cannot be set in that header by the client', () => {
    expect(passedOn({ 'x-accepted-encoding': { value: 'gzip' } })).toEqual({});
  });
});
