/** The API document: the findings of a public linter, and whether it describes requests correctly. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { intakeDocument } from '#shared/contract/intake-specification';
import { openApiDocument } from '#shared/contract/openapi';
import { type EndpointId, routes } from '#shared/contract/routes';
import { type EndpointSchemas, schemas } from '#shared/contract/schemas';
import { API_DOCS_PATH } from '#shared/contract/web-headers';
import { parseClaimReason } from '#shared/rules/claim-windows';
import {
  operationOf,
  publishedSchema,
  spoilt,
  tidied,
  validBy,
  violations,
} from '#test/harness/published-schema';

const ids = Object.keys(routes) as EndpointId[];
const PARTS = ['params', 'query', 'body'] as const;
/** Paths with the same few IDs. */
const RUNS = { params: 10, query: 50, body: 60 } as const;

it('passes the recommended rules of Redocly', async () => {
  const problems = await lintFromString({
    source: JSON.stringify(openApiDocument('https://leads.acme.io')),
    absoluteRef: 'openapi.json',
    config: await createConfig({ extends: ['recommended'] }),
  });
  // The rule ignores that methods, static segments and ID formats distinguish these paths.
  const isAmbiguous = ({ ruleId }: { ruleId: string }) => ruleId === 'no-ambiguous-paths';
  expect(problems.filter(isAmbiguous)).toHaveLength(3);
  expect(problems.filter((problem) => !isAmbiguous(problem)).map(({ message }) => message)).toEqual([]);
});

it('of one source passes them too, with the source’s field names', async () => {
  const source = { src: 'page', mapping: { email: 'mail' }, defaults: { laufzeit: '12' } };
  const problems = await lintFromString({
    source: JSON.stringify(intakeDocument('https://leads.acme.io', source)),
    absoluteRef: 'openapi.json',
    config: await createConfig({ extends: ['recommended'] }),
  });
  expect(problems.map(({ message }) => message)).toEqual([]);
  const { Lead } = intakeDocument('', source).components.schemas;
  expect(Lead.required).not.toContain('laufzeit');
  expect(Object.keys(Lead.properties)).toContain('mail');
  expect(Lead.properties.form_ms).toMatchObject({ type: 'integer', description: /below 2000/ });
  expect(Lead.properties.form_check).toMatchObject({ type: 'string' });
});

it('has no server address, which the page adds', () => {
  expect(Object.values(routes).map(({ path }) => path)).not.toContain(API_DOCS_PATH);
});

it.each(ids)('every operation %s has a one-line plain text summary', (id) => {
  expect(operationOf(id).summary).toMatch(/^[A-Z][^\n.]{5,79}$/);
});

const TABLE = [
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'text/csv; charset=utf-8',
];
const PAGE = 'text/html; charset=utf-8';
const PROOF = ['application/json; charset=utf-8', PAGE];
const DOWNLOADS: Partial<Record<EndpointId, readonly string[]>> = {
  downloadConsentProof: PROOF,
  downloadStatement: TABLE,
  exportAccounting: TABLE,
  exportBuyerStats: TABLE,
  exportConsentProof: PROOF,
  exportConsentProofs: ['application/zip'],
  exportErasure: [PAGE],
  exportLatencies: TABLE,
  exportLeads: TABLE,
  exportLeadsPart: TABLE,
  exportPendingLeads: TABLE,
  exportPerson: PROOF,
  exportStatement: TABLE,
  openUnsubscription: [],
};

it('has the actual media types of every download', () => {
  const files = ids.filter((id) => schemas[id].answer === 'file');
  const named = files.map((id) => [id, Object.keys(operationOf(id).responses['200']?.content ?? {})]);
  expect(Object.fromEntries(named)).toEqual(DOWNLOADS);
});

it('documents the conflict response of every change except a login', () => {
  const without = ids.filter((id) => !Object.hasOwn(operationOf(id).responses, '409'));
  expect(without.filter((id) => !['GET', 'OPTIONS'].includes(routes[id].method))).toEqual([
    'login',
    'passkeyLogin',
    'finishLogin',
  ]);
});

it('promises no format of e-mail addresses, which allows fewer than the API', () => {
  const address = publishedSchema('createBuyer', 'body')?.properties?.buyer_email;
  for (const id of ['inviteAdmin', 'resetAdmin'] as const)
    expect(publishedSchema(id, 'body')?.properties?.email).toEqual(address);
});

it.each([null, ''])('allows %j for a source without mapping and default values', (none) => {
  const { mapping, defaults } = publishedSchema('createSource', 'body')?.properties ?? {};
  for (const schema of [mapping, defaults]) expect(violations(schema ?? {}, none)).toEqual([]);
});

/** Values in a URL are always text. */
const asSent = (part: (typeof PARTS)[number], value: unknown) =>
  part === 'body'
    ? value
    : Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, String(one)]));

/** JSON text is accepted too, which only the description says. */
const isMappingAsText = (schemaPath: string) => /(mapping|defaults)\/maxLength$/.test(schemaPath);

/** Checks outside the call's schema, because they have their own codes. */
const fitsRules = (id: EndpointId, value: unknown) =>
  id !== 'fileClaim' || !hasReason(value) || parseClaimReason(value.claim_reason).ok;
const hasReason = (value: unknown): value is { claim_reason: string } =>
  typeof value === 'object' && value !== null && 'claim_reason' in value;

describe('the published schema agrees with the validation', () => {
  const cases = ids.flatMap((id) =>
    PARTS.flatMap((part) => {
      const published = publishedSchema(id, part);
      const { [part]: checked }: EndpointSchemas = schemas[id];
      return published === undefined || checked === undefined ? [] : [{ id, part, published, checked }];
    }),
  );

  it.each(cases)('$id: $part valid by the schema is accepted', ({ id, part, published, checked }) => {
    fc.assert(
      fc.property(validBy(published), (value) => {
        const issues = checked.safeParse(asSent(part, value)).error?.issues ?? [];
        expect(issues.length > 0 || fitsRules(id, value)).toBe(true);
        // The only rule within a field that the document describes in words.
        expect(issues.filter(({ message }) => !/^At most \d+ bytes$/.test(message))).toEqual([]);
      }),
      { numRuns: RUNS[part], seed: 1 },
    );
  });

  it.each(cases)('$id: accepted $part is valid by the schema', ({ id, part, published, checked }) => {
    fc.assert(
      fc.property(spoilt(published), (value) => {
        const sent = asSent(part, value);
        const isAccepted = checked.safeParse(sent).success && fitsRules(id, sent);
        const wrong = isAccepted ? violations(published, tidied(published, sent)) : [];
        // Rules across fields are not in the call's schema; `contract.test.ts` tests them on the API.
        const within = wrong.filter(
          ({ schemaPath }) => !/\/(if|then)\b/.test(schemaPath) && !isMappingAsText(schemaPath),
        );
        expect(within, JSON.stringify(value)).toEqual([]);
      }),
      { numRuns: RUNS[part], seed: 1 },
    );
  });
});

describe('the documented error codes', () => {
  const code = ['functions', 'shared/rules']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    )
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const named = new Set(
    Object.values<EndpointSchemas>(schemas).flatMap(({ refusals = {} }) =>
      Object.keys(refusals).map((name) => name.split('.')[0] ?? ''),
    ),
  );

  it('all exist in the code', () => {
    expect([...named].filter((name) => !code.includes(`'${name}'`))).toEqual([]);
  });

  it('include all with status 400, except those of schemas', () => {
    const thrown = Array.from(
      code.matchAll(/(?:(?:new DomainError|\brefusal)\(\s*'invalid',|\binvalid\()\s*'(\w+)'/g),
      ([, name = '']) => name,
    );
    expect(thrown.length).toBeGreaterThan(30);
    const inSchemas = new Set(['invalid_json', 'invalid_idempotency_key', 'password_required']);
    expect(new Set(thrown.filter((name) => !named.has(name) && !inSchemas.has(name)))).toEqual(new Set());
  });
});
