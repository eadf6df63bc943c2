/** The API's document: what a public linter says of it, and whether it tells the truth about requests. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '#shared/contract/openapi';
import { type EndpointId, routes } from '#shared/contract/routes';
import { type EndpointSchemas, schemas } from '#shared/contract/schemas';
import { API_DOCS_PATH } from '#shared/contract/web-headers';
import { operationOf, publishedSchema, validBy } from '#test/harness/published-schema';

const ids = Object.keys(routes) as EndpointId[];
const PARTS = ['params', 'query', 'body'] as const;

it('passes the recommended rules of Redocly', async () => {
  const problems = await lintFromString({
    source: JSON.stringify(openApiDocument('https://leads.acme.io')),
    absoluteRef: 'openapi.json',
    config: await createConfig({ extends: ['recommended'] }),
  });
  // Methods, static segments and the form of an id tell these apart, which the rule does not look at.
  const isAmbiguous = ({ ruleId }: { ruleId: string }) => ruleId === 'no-ambiguous-paths';
  expect(problems.filter(isAmbiguous)).toHaveLength(3);
  expect(problems.filter((problem) => !isAmbiguous(problem)).map(({ message }) => message)).toEqual([]);
});

it('leaves its own address to the page that shows it', () => {
  expect(Object.values(routes).map(({ path }) => path)).not.toContain(API_DOCS_PATH);
});

describe('every operation', () => {
  it.each(ids)('%s has one line of plain text for a summary', (id) => {
    expect(operationOf(id).summary).toMatch(/^[A-Z][^\n.]{5,79}$/);
  });
});

it('names the real media types of a download', () => {
  expect(Object.keys(operationOf('exportLeads').responses['200']?.content ?? {})).toEqual([
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'text/csv; charset=utf-8',
  ]);
});

describe('what the published schema accepts is accepted', () => {
  const cases = ids.flatMap((id) =>
    PARTS.flatMap((part) => {
      const published = publishedSchema(id, part);
      const { [part]: checked }: EndpointSchemas = schemas[id];
      return published === undefined || checked === undefined ? [] : [{ id, part, published, checked }];
    }),
  );

  it.each(cases)('$id: $part', ({ part, published, checked }) => {
    fc.assert(
      fc.property(validBy(published), (value) => {
        // Whatever stands in an address is text by the time it is read.
        const sent =
          part === 'body'
            ? value
            : Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, String(one)]));
        expect(checked.safeParse(sent).error?.issues ?? []).toEqual([]);
      }),
      { numRuns: 100, seed: 1 },
    );
  });
});
