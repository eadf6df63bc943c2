import { hundredthsOrNull } from '#functions/api/common/hundredths';
import { sourceRow } from '#functions/api/sources/answers';
import { endpointHandlers } from '#functions/api/sources/endpoints';
import type { FunctionEnvironment } from '#functions/api/sources/environment';
import { companyDetails } from '#functions/data/administration/company';
import * as endpointStore from '#functions/data/sources/endpoints';
import type { Source } from '#functions/data/sources/source';
import * as sourceStore from '#functions/data/sources/source-store';
import { addConsentText, retireConsentText, textsOf } from '#functions/domain/sources/consent-texts';
import {
  createSource,
  createSourceKey,
  requireSource,
  revokeSourceKey,
  updateSource,
} from '#functions/domain/sources/sources';
import {
  regenerateSpecification,
  sourceOfSpecification,
  switchOffSpecification,
} from '#functions/domain/sources/specification';
import { type ApiHandler, createApi } from '#functions/http/api';
import { createApiContext } from '#functions/http/context';
import type { Runtime } from '#functions/platform/runtime';
import { sourceSchemas } from '#shared/contract/schemas/sources';

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const context = createApiContext(environment, runtime);
  const baseUrl = environment.PUBLIC_BASE_URL;
  const textRows = async (source: Source) =>
    (await textsOf(context, source)).map(({ id, created_at, text }) => ({ text_id: id, created_at, text }));
  const rowOf = (source: Source) => sourceRow(baseUrl, source, runtime.now());

  return createApi('sources', sourceSchemas, context, {
    ...endpointHandlers(context, context),

    listSources: async () => (await sourceStore.all(context)).map(rowOf),

    createSource: async ({ body, who }) => {
      const source = await createSource(context, who, inCents(body));
      return { message: `Source ${source.name} added, in test`, source: rowOf(source) };
    },

    updateSource: async ({ params, body, who }) => {
      const change = { ...inCents(body), expected: body.expected && inCents(body.expected) };
      const source = await updateSource(context, who, params.sourceId, change);
      return { message: `Source ${source.name} saved`, source: rowOf(source) };
    },

    createSourceKey: async ({ params, who }) => {
      const { source, key } = await createSourceKey(context, who, params.sourceId);
      return { message: 'Key created', source: rowOf(source), key };
    },

    revokeSourceKey: async ({ params, who }) => ({
      message: 'Key revoked',
      source: rowOf(await revokeSourceKey(context, who, params.sourceId, params.slot)),
    }),

    listConsentTexts: async ({ params }) => textRows(await requireSource(context, params.sourceId)),

    addConsentText: async ({ params, body, who }) => {
      const source = await addConsentText(context, who, params.sourceId, body.text);
      return { message: 'Wording added', source: rowOf(source) };
    },

    retireConsentText: async ({ params, who }) => ({
      message: 'Wording retired',
      source: rowOf(await retireConsentText(context, who, params.sourceId, params.textId)),
    }),

    regenerateSpecification: async ({ params, who }) => ({
      message: 'Specification page has a new link',
      source: rowOf(await regenerateSpecification(context, who, params.sourceId)),
    }),

    switchOffSpecification: async ({ params, who }) => ({
      message: 'Specification page turned off',
      source: rowOf(await switchOffSpecification(context, who, params.sourceId)),
    }),

    viewSpecification: async ({ params: { token } }) => {
      const source = await sourceOfSpecification(context, token);
      const [{ webhook }, texts, { privacy_url }] = await Promise.all([
        endpointStore.get(context, source.source),
        textRows(source),
        companyDetails(context),
      ]);
      // On demand, because it builds the schemas of the intake.
      const { specificationAnswer } = await import('#functions/api/sources/specification');
      return specificationAnswer(baseUrl, token, source, { webhook, texts, privacy_url });
    },

    getIntakeOpenApi: async ({ params: { token } }) => {
      const source = await sourceOfSpecification(context, token);
      const { intakeDocument } = await import('#shared/contract/intake-specification');
      return intakeDocument(baseUrl, source);
    },
  });
}

const inCents = <Settings extends { readonly cost_per_lead?: number | null | undefined }>(
  settings: Settings,
) => ({ ...settings, cost_per_lead: hundredthsOrNull(settings.cost_per_lead) });
