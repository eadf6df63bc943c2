import { secretRows } from '#functions/api/common/secret-rows';
import type { Context } from '#functions/data/context';
import { type Endpoints } from '#functions/data/sources/endpoints';
import {
  createSigningSecret,
  readEndpoints,
  revokeSigningSecret,
  updateEndpoints,
} from '#functions/domain/sources/endpoints';
import type { EndpointContext } from '#functions/domain/sources/signing-secrets';
import type { ApiContext, Handlers } from '#functions/http/api';
import type { EndpointsRow } from '#shared/contract/schemas/endpoints';

type EndpointHandlers = Pick<
  Handlers<'sources'>,
  'getEndpoints' | 'updateEndpoints' | 'createSigningSecret' | 'revokeSigningSecret'
>;

export function endpointHandlers(sources: Context, { keys }: Pick<ApiContext, 'keys'>): EndpointHandlers {
  const context = async (): Promise<EndpointContext> => ({ ...sources, cipher: (await keys()).cipher });
  return {
    getEndpoints: async ({ params }) => row(await readEndpoints(sources, params.sourceId)),

    updateEndpoints: async ({ params, body, who }) => {
      const { endpoints, secret } = await updateEndpoints(await context(), who, params.sourceId, body);
      return { message: 'Callbacks saved', endpoints: row(endpoints), secret };
    },

    createSigningSecret: async ({ params, who }) => {
      const { endpoints, secret } = await createSigningSecret(await context(), who, params.sourceId);
      return { message: 'Secret created', endpoints: row(endpoints), secret };
    },

    revokeSigningSecret: async ({ params, who }) => ({
      message: 'Secret revoked',
      endpoints: row(await revokeSigningSecret(await context(), who, params.sourceId, params.slot)),
    }),
  };
}

function row({ webhook, postback, secrets }: Endpoints): EndpointsRow {
  return {
    webhook: shown(webhook),
    postback: shown(postback),
    secrets: secretRows(secrets),
  };
}

const shown = (settings: Endpoints['webhook']) =>
  settings === undefined ? null : { ...settings, gone_at: settings.gone_at ?? null };
