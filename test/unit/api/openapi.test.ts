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
/** Paths share the same few IDs. */
const RUNS = { params: 10, query: 50, body: 60 } as const;

it('passes the recommended rules of Redocly', async () => {
  const problems = await lintFromString({
    source: JSON.stringify(openApiDocument('https://leads.acme.io')),
    absoluteRef: 'openapi.json',
    config: await createConfig({ extends: ['recommended'] }),
  });
  // The rule does not know that methods, static segments and the form of IDs distinguish these.
  const isAmbiguous = ({ ruleId }: { ruleId: string }) => ruleId === 'no-ambiguous-paths';
  expect(problems.filter(isAmbiguous)).toHaveLength(3);
  expect(problems.filter((problem) => !isAmbiguous(problem)).map(({ message }) => message)).toEqual([]);
});

it("of one source passes them as well, with the source's own names", async () => {
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
});

it('leaves its own address to the page that shows it', () => {
  expect(Object.values(routes).map(({ path }) => path)).not.toContain(API_DOCS_PATH);
});

describe('every operation', () => {
  it.each(ids)('%s has one line of plain text for a summary', (id) => {
    expect(operationOf(id).summary).toMatch(/^[A-Z][^\n.]{5,79}$/);
  });
});

const TABLE = [
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'text/csv; charset=utf-8',
];
const PAGE = 'text/html; charset=utf-8';
const DOWNLOADS: Partial<Record<EndpointId, readonly string[]>> = {
  downloadStatement: TABLE,
  exportAccounting: TABLE,
  exportBuyerStats: TABLE,
  exportErasure: [PAGE],
  exportLeads: TABLE,
  exportLeadsPart: TABLE,
  exportPendingLeads: TABLE,
  exportPerson: ['application/json; charset=utf-8', PAGE],
  exportStatement: TABLE,
  openUnsubscription: [],
};

it('names the real media types of every download', () => {
  const files = ids.filter((id) => schemas[id].answer === 'file');
  const named = files.map((id) => [id, Object.keys(operationOf(id).responses['200']?.content ?? {})]);
  expect(Object.fromEntries(named)).toEqual(DOWNLOADS);
});

it('says of every change that it may conflict with another, except of a log-in', () => {
  const without = ids.filter((id) => !Object.hasOwn(operationOf(id).responses, '409'));
  expect(without.filter((id) => !['GET', 'OPTIONS'].includes(routes[id].method))).toEqual([
    'login',
    'passkeyLogin',
    'finishLogin',
  ]);
});

/** Values in a URL are text when they are read. */
const asSent = (part: (typeof PARTS)[number], value: unknown) =>
  part === 'body'
    ? value
    : Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, String(one)]));

/** Described in words: JSON text is accepted as well. */
const isMappingAsText = (schemaPath: string) => schemaPath.endsWith('_mapping/maxLength');

/** The part of the check that is not in the call's schema, because it has its own codes. */
const fitsRules = (id: EndpointId, value: unknown) =>
  id !== 'fileClaim' || !hasReason(value) || parseClaimReason(value.claim_reason).ok;
const hasReason = (value: unknown): value is { claim_reason: string } =>
  typeof value === 'object' && value !== null && 'claim_reason' in value;

describe('the published schema and the check are one', () => {
  const cases = ids.flatMap((id) =>
    PARTS.flatMap((part) => {
      const published = publishedSchema(id, part);
      const { [part]: checked }: EndpointSchemas = schemas[id];
      return published === undefined || checked === undefined ? [] : [{ id, part, published, checked }];
    }),
  );

  it.each(cases)('$id: $part that the schema accepts is accepted', ({ id, part, published, checked }) => {
    fc.assert(
      fc.property(validBy(published), (value) => {
        const issues = checked.safeParse(asSent(part, value)).error?.issues ?? [];
        expect(issues.length > 0 || fitsRules(id, value)).toBe(true);
        // Refused by the one rule within a field that the document describes in words.
        expect(issues.filter(({ message }) => !/^At most \d+ bytes$/.test(message))).toEqual([]);
      }),
      { numRuns: RUNS[part], seed: 1 },
    );
  });

  it.each(cases)(
    '$id: $part that is accepted is accepted by the schema',
    ({ id, part, published, checked }) => {
      fc.assert(
        fc.property(spoilt(published), (value) => {
          const sent = asSent(part, value);
          const isAccepted = checked.safeParse(sent).success && fitsRules(id, sent);
          const wrong = isAccepted ? violations(published, tidied(published, sent)) : [];
          // A rule across fields is not in the call's schema; `contract.test.ts` tests it on the API itself.
          const within = wrong.filter(
            ({ schemaPath }) => !/\/(if|then)\b/.test(schemaPath) && !isMappingAsText(schemaPath),
          );
          expect(within, JSON.stringify(value)).toEqual([]);
        }),
        { numRuns: RUNS[part], seed: 1 },
      );
    },
  );
});

describe('the refusals that are named', () => {
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

  it('are all known to the code', () => {
    expect([...named].filter((name) => !code.includes(`'${name}'`))).toEqual([]);
  });

  it('are all those with status 400, but for what schemas say', () => {
    const thrown = Array.from(
      code.matchAll(/(?:(?:new DomainError|\brefusal)\(\s*'invalid',|\binvalid\()\s*'(\w+)'/g),
      ([, name = '']) => name,
    );
    expect(thrown.length).toBeGreaterThan(30);
    const inSchemas = new Set(['invalid_json', 'invalid_idempotency_key', 'password_required']);
    expect(new Set(thrown.filter((name) => !named.has(name) && !inSchemas.has(name)))).toEqual(new Set());
  });
});
