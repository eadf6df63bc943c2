import * as z from 'zod/mini';
import { crossOrigin } from '#functions/api/intake/cross-origin';
import type { FunctionEnvironment } from '#functions/api/intake/environment';
import { type Read, readPosted, type Unreadable } from '#functions/api/intake/posted';
import { limitVisitor, visitorOf } from '#functions/api/intake/visitors';
import * as buyerStore from '#functions/data/buyers/buyer-store';
import type { Lead } from '#functions/data/leads/lead';
import type { Source } from '#functions/data/sources/source';
import { conflict, invalid } from '#functions/domain/common/errors';
import { personToken } from '#functions/domain/leads/person-links';
import type { DryRun, PredictedOutcome } from '#functions/domain/sources/dry-run';
import {
  answerPosted,
  findPosted,
  type IntakeContext,
  type IntakeResult,
  ingestPosted,
  type PostedLead,
  postedBefore,
  postedLead,
  refusedAs,
  tryPosted,
} from '#functions/domain/sources/intake';
import {
  type Caller,
  countImported,
  readSource,
  refusal,
  useSource,
} from '#functions/domain/sources/source-access';
import { requireSource } from '#functions/domain/sources/sources';
import { type ApiHandler, createApi } from '#functions/http/api';
import { createApiContext } from '#functions/http/context';
import { createFingerprints } from '#functions/platform/fingerprints';
import { createIntake } from '#functions/platform/intake';
import { consentLinkOf } from '#functions/platform/links';
import { parseJson } from '#functions/platform/parse-json';
import type { Runtime } from '#functions/platform/runtime';
import type { Answer } from '#shared/contract/schemas';
import { intakeSchemas } from '#shared/contract/schemas/intake';

type Row = Answer<'postIntake'>['results'][number];

export function create(environment: FunctionEnvironment, runtime: Runtime): ApiHandler {
  const api = createApiContext(environment, runtime);
  const context: IntakeContext = {
    ...createIntake(environment, runtime, api.table),
    fingerprintsOf: createFingerprints(api.personKey),
  };

  /** New leads that lack a required consent are unreadable. */
  const readAll = async (source: Source, body: readonly object[], visitor?: string) => {
    const all = body.map((row) => readPosted(source, row, runtime.now(), visitor));
    const lacking = all.flatMap((one) => ('posted' in one && one.unless !== undefined ? [one.posted] : []));
    const before = lacking.length === 0 ? undefined : await postedBefore(context, source, lacking);
    const read = all.map((one) =>
      'posted' in one && one.unless !== undefined && before?.has(one.posted) !== true
        ? { unreadable: one.unless }
        : one,
    );
    return { read, posted: read.flatMap((one) => ('posted' in one ? [one.posted] : [])) };
  };

  /** For a source in test. Leads that arrived while it was live keep their first answer. */
  const predicted = async (source: Source, posted: readonly PostedLead[]): Promise<Row[]> => {
    const before = await postedBefore(context, source, posted);
    const known = [...before];
    const others = posted.filter((one) => !before.has(one));
    const [answers, trials] = await Promise.all([
      known.length === 0 ? [] : ingestPosted(context, source, known, 0),
      tryPosted(context, source, others),
    ]);
    const rows = new Map<PostedLead, Row>();
    known.forEach((one, at) => {
      const answer = answers[at];
      if (answer !== undefined) rows.set(one, resultRow(source, one.external_id, answer));
    });
    others.forEach((one, at) => {
      const trial = trials.results[at];
      if (trial !== undefined) rows.set(one, tryRow(source.sees_buyers, one.external_id, trial));
    });
    return posted.flatMap((one) => rows.get(one) ?? []);
  };

  /** By the link for the person, if a consent came with the lead. */
  const withLinks = async (posted: readonly PostedLead[], results: readonly IntakeResult[]) => {
    const consents = (result: IntakeResult, at: number): boolean =>
      posted[at]?.consent !== undefined || (result.status === 'accepted' && result.consents === true);
    if (!results.some(consents)) return results;
    const { consentLink } = await api.keys();
    return results.map((result, at): IntakeResult & { readonly withdrawal_url?: string } =>
      result.status !== 'accepted' || !consents(result, at)
        ? result
        : {
            ...result,
            withdrawal_url: consentLinkOf(
              api.publicBaseUrl,
              personToken(consentLink, result.lead_id, 'withdraw'),
              'withdraw',
            ),
          },
    );
  };

  const gate = { ...api, requireSource: async (caller: Caller) => readSource(context, caller) };
  const handler = createApi('intake', intakeSchemas, gate, {
    postIntake: async ({ body, ...caller }) => {
      const began = runtime.now().getTime();
      const visitor = visitorOf(caller);
      if (visitor !== undefined) await limitVisitor(context, visitor, body.length);
      const { source, refused } = await useSource(context, caller, body.length);
      const { read, posted } = await readAll(source, body, visitor);
      const rows =
        source.state === 'test' && refused === undefined
          ? rowsOf(runtime, read, await predicted(source, posted), (_, row) => row)
          : rowsOf(
              runtime,
              read,
              await withLinks(posted, await answerPosted(context, { source, refused }, posted, body.length)),
              (id, result) => resultRow(source, id, result),
            );
      if (source.state === 'live')
        runtime.metrics.record('IntakeMilliseconds', runtime.now().getTime() - began, {});
      if (rows.length === 1 && rows[0]?.status === 'conflict')
        throw refusal('conflict', 'external_id_reused', 'This ID was already used for another lead');
      return { results: rows };
    },

    importLeads: async ({ params, body }) => {
      const source = await requireSource(context, params.sourceId);
      const { read, posted } = await readAll({ ...source, mapping: {} }, body.leads);
      if (body.dry_run !== undefined) {
        const { results, after } = await tryPosted(context, source, posted, readDryRun(body.dry_run));
        const rows = rowsOf(runtime, read, results, (id, result) => tryRow(true, id, result));
        return { results: rows, next: JSON.stringify(after) };
      }
      if (source.state !== 'live')
        throw conflict('source_not_live', 'Leads can be imported only while the source is live');
      const counted = await countImported(context, source, body.leads.length);
      const results = await ingestPosted(context, counted, posted, body.leads.length);
      return { results: rowsOf(runtime, read, results, (id, result) => resultRow(source, id, result)) };
    },

    // Answered by `crossOrigin`.
    preflightIntake: async () => ({}),

    getIntake: async ({ params, ...caller }) => {
      const source = await readSource(context, caller);
      const lead = await postedLead(context, source, params.externalId);
      const buyer =
        source.sees_buyers && lead.buyer !== undefined ? await buyerStore.get(api, lead.buyer) : undefined;
      return stateRow(params.externalId, lead, buyer?.buyer_id ?? null);
    },

    // The same answer for an unknown ID, so that nobody learns which people are known.
    withdrawPosted: async ({ params, ...caller }) => {
      const source = await readSource(context, caller);
      const lead = await findPosted(context, source, params.externalId);
      if (lead !== undefined) {
        const [{ withdrawConsent }, { createWithdrawals }] = await Promise.all([
          import('#functions/domain/leads/withdrawal'),
          import('#functions/platform/withdrawal'),
        ]);
        const withdrawals = createWithdrawals(environment, runtime, api.table, api.keys);
        await withdrawConsent(withdrawals, { who: 'source', way: 'source' }, [leadWithPerson(lead)]);
      }
      return { message: 'Consent withdrawn' };
    },
  });
  return crossOrigin(handler, api);
}

/**
 * A duplicate has lost its person, whom the earlier lead still has. One that shared only a phone number names nobody: otherwise
 * a visitor who posts somebody's number could withdraw that person's consent.
 */
const leadWithPerson = ({ lead_id, duplicate_of, same_person }: Lead) =>
  same_person === true ? (duplicate_of ?? lead_id) : lead_id;

/** Readable leads have a result, in the same order. A program that fell into the trap reads that its lead was accepted. */
function rowsOf<Result>(
  { newId }: Pick<Runtime, 'newId'>,
  read: readonly Read[],
  results: readonly Result[],
  rowOf: (externalId: string, result: Result) => Row,
): Row[] {
  const left = results.values();
  return read.map((one) => {
    if ('unreadable' in one) return unreadableRow(one.unreadable);
    if ('trapped' in one) return { external_id: one.trapped, status: 'accepted', lead_id: newId() };
    const { value } = left.next();
    if (value === undefined) throw new Error('A lead has no result');
    return rowOf(one.posted.external_id, value);
  });
}

const unreadableRow = ({ external_id, fields }: Unreadable): Row => ({
  external_id,
  status: 'invalid',
  error: Object.entries(fields)
    .map(([name, text]) => `${name}: ${text}`)
    .join('; '),
  fields: { ...fields },
});

const figures = z.record(z.string(), z.number());
const dryRunSchema = z.object({ deficits: figures, taken: figures });

/** @throws DomainError 400 for a text that is not from an earlier answer */
function readDryRun(text: string): DryRun | undefined {
  if (text === '') return undefined;
  const parsed = dryRunSchema.safeParse(parseJson(text));
  if (!parsed.success) throw invalid('invalid_dry_run', 'This dry run is not known', { dry_run: 'Unknown' });
  return parsed.data;
}

function resultRow(
  source: Source,
  externalId: string,
  result: IntakeResult & { readonly withdrawal_url?: string },
): Row {
  const row = { external_id: externalId, status: result.status };
  switch (result.status) {
    case 'accepted':
      return {
        ...row,
        lead_id: result.lead_id,
        ...(result.withdrawal_url !== undefined && { withdrawal_url: result.withdrawal_url }),
        ...(result.confirm_by !== undefined && { confirm_by: result.confirm_by }),
      };
    case 'duplicate':
      return {
        ...row,
        lead_id: result.lead_id,
        error: `This person was already sent within ${source.window_days} days`,
      };
    case 'withdrawn':
      return { ...row, lead_id: result.lead_id, error: 'This person withdrew the consent' };
    case 'conflict':
      return { ...row, error: 'This ID was already used for another lead' };
  }
}

function tryRow(namesBuyers: boolean, externalId: string, result: PredictedOutcome): Row {
  return { external_id: externalId, status: 'test', predicted_outcome: predictedRow(namesBuyers, result) };
}

function predictedRow(namesBuyers: boolean, result: PredictedOutcome): NonNullable<Row['predicted_outcome']> {
  switch (result.status) {
    case 'assigned':
      return { status: 'assigned', ...(namesBuyers && { buyer: result.buyer_id }) };
    case 'pending':
      return { status: 'pending', reason: result.reason };
    case 'duplicate':
    case 'withdrawn':
    case 'known':
      return { status: result.status };
  }
}

function stateRow(externalId: string, lead: Lead, buyer: string | null): Answer<'getIntake'> {
  return {
    external_id: externalId,
    lead_id: lead.lead_id,
    status: refusedAs(lead),
    state: lead.status === 'received' ? 'in_distribution' : lead.status,
    reason: lead.status === 'pending' ? (lead.reason ?? null) : null,
    received_at: lead.received_at,
    assigned_at: lead.assigned_at ?? null,
    claim: lead.claim_status ?? null,
    buyer,
  };
}
