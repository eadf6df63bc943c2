import { describe, expect, it, vi } from 'vitest';
import { authSchemas } from '#shared/contract/schemas/auth';
import { apiOf } from '#test/harness/api';

function apiWith(originSecrets: readonly string[]) {
  const seen = vi.fn<(address: string) => void>();
  const { call } = apiOf(
    'auth',
    authSchemas,
    {
      checkAuth: async (request: { address: string }) => {
        seen(request.address);
        return { authenticated: false };
      },
    },
    { originSecrets: async () => originSecrets },
  );
  return {
    expected: seen,
    call: (headers: Record<string, string>) => call('GET /api/check-auth', { headers }),
  };
}

describe('the closed origin', () => {
  it('accepts calls with a valid secret, old and new during a rotation', async () => {
    const { call } = apiWith(['old', 'new']);
    expect((await call({ 'x-origin-verify': 'old' })).status).toBe(200);
    expect((await call({ 'x-origin-verify': 'new' })).status).toBe(200);
  });

  it('rejects direct calls to the API', async () => {
    const { call, expected: seen } = apiWith(['new']);
    for (const headers of [{}, { 'x-origin-verify': '' }, { 'x-origin-verify': 'old' }] as Record<
      string,
      string
    >[]) {
      const answer = await call(headers);
      expect(answer.status).toBe(403);
      expect(answer.json).toEqual({ code: 'origin_closed', error: 'Not available at this address' });
    }
    expect(seen).not.toHaveBeenCalled();
  });

  it('is open without CloudFront', async () => {
    expect((await apiWith([]).call({})).status).toBe(200);
  });
});

describe('the address of the client', () => {
  it.each([
    ['203.0.113.9:51234', '203.0.113.9'],
    ['2001:db8::1:51234', '2001:db8::1'],
  ])('is the viewer address from CloudFront (%s)', async (header, address) => {
    const { call, expected: seen } = apiWith(['secret']);
    await call({ 'x-origin-verify': 'secret', 'cloudfront-viewer-address': header });
    expect(seen).toHaveBeenCalledWith(address);
  });

  it('is the connection’s address if CloudFront sets none', async () => {
    const { call, expected: seen } = apiWith(['secret']);
    await call({ 'x-origin-verify': 'secret' });
    expect(seen).toHaveBeenCalledWith('198.51.100.7');
  });

  it('is never taken from client headers', async () => {
    const { call, expected: seen } = apiWith([]);
    await call({ 'cloudfront-viewer-address': '203.0.113.9:1' });
    expect(seen).toHaveBeenCalledWith('198.51.100.7');
  });
});
