import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { describe, expect, it, vi } from 'vitest';
import type { SessionStore } from '#functions/data/administration/session-store';
import { createApi, type Handlers } from '#functions/http/api';
import { systemRuntime } from '#functions/runtime';
import { authSchemas } from '#shared/contract/schemas/auth';

function apiWith(originSecrets: readonly string[]) {
  const seen = vi.fn<(address: string) => void>();
  const handlers = {
    checkAuth: async (request: { address: string }) => {
      seen(request.address);
      return { authenticated: false };
    },
  } as unknown as Handlers<'auth'>;
  const api = createApi(
    'auth',
    authSchemas,
    {
      sessions: {} as SessionStore,
      keys: async () => {
        throw new Error('not needed');
      },
      runtime: { ...systemRuntime, log: { info: () => {}, warn: () => {}, error: () => {} } },
      publicBaseUrl: 'https://leads.example.com',
      originSecrets: async () => originSecrets,
    },
    handlers,
  );
  const call = async (headers: Record<string, string>) =>
    api(
      {
        routeKey: 'GET /api/check-auth',
        headers,
        requestContext: { http: { sourceIp: '198.51.100.7' } },
      } as unknown as APIGatewayProxyEventV2,
      { awsRequestId: 'r1' } as Context,
    );
  return { call, seen };
}

describe('the closed origin', () => {
  it('answers whoever shows a secret that is accepted, the old and the new one while it is exchanged', async () => {
    const { call } = apiWith(['old', 'new']);
    expect((await call({ 'x-origin-verify': 'old' })).statusCode).toBe(200);
    expect((await call({ 'x-origin-verify': 'new' })).statusCode).toBe(200);
  });

  it('refuses whoever comes to the API directly', async () => {
    const { call, seen } = apiWith(['new']);
    for (const headers of [{}, { 'x-origin-verify': '' }, { 'x-origin-verify': 'old' }] as Record<
      string,
      string
    >[]) {
      const answer = await call(headers);
      expect(answer.statusCode).toBe(403);
      expect(JSON.parse(answer.body ?? '')).toMatchObject({ code: 'origin_closed' });
    }
    expect(seen).not.toHaveBeenCalled();
  });

  it('is open where there is no CloudFront', async () => {
    expect((await apiWith([]).call({})).statusCode).toBe(200);
  });
});

describe('the address of the client', () => {
  it.each([
    ['203.0.113.9:51234', '203.0.113.9'],
    ['2001:db8::1:51234', '2001:db8::1'],
  ])('is the viewer that CloudFront saw (%s)', async (header, address) => {
    const { call, seen } = apiWith(['secret']);
    await call({ 'x-origin-verify': 'secret', 'cloudfront-viewer-address': header });
    expect(seen).toHaveBeenCalledWith(address);
  });

  it('is never what a client says of itself', async () => {
    const { call, seen } = apiWith([]);
    await call({ 'cloudfront-viewer-address': '203.0.113.9:1' });
    expect(seen).toHaveBeenCalledWith('198.51.100.7');
  });
});
