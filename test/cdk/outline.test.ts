/** Every change in a template changes its snapshot. */
import { Template } from 'aws-cdk-lib/assertions';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outline } from '#test/cdk/outline';
import { type Json, synthesise } from '#test/cdk/synthesise';

const dev = synthesise('dev').product;
const prod = synthesise('prod').product;

/** The paths to all strings, numbers and booleans. */
function leaves(value: Json, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries<Json>(value).flatMap(([key, inner]) => leaves(inner, [...path, key]));
}

function changed(
  template: Json,
  path: readonly string[],
  change: (owner: Json, key: string) => void,
): Template {
  const copy = structuredClone(template);
  const owner = path.slice(0, -1).reduce((value, key) => value[key], copy);
  change(owner, path.at(-1)!);
  return Template.fromJSON(copy);
}

function another(owner: Json, key: string): void {
  const value = owner[key];
  owner[key] = typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : `${value}~`;
}

/** Excludes parts that the outline omits, and types, because changing one alone deploys nothing. */
const values = (json: Json) =>
  leaves(json).filter(
    ([section, id, ...path]) =>
      section === 'Resources' &&
      json.Resources[id!].Type !== 'AWS::ApiGatewayV2::Route' &&
      !['Type', 'reason', 'is_reason_encoded'].includes(path.at(-1)!),
  );

describe('the outline of a template', () => {
  const before = outline(prod);

  const json = prod.toJSON();
  const paths = values(json);
  const parts = paths.flatMap((path) => [path.slice(0, 2), path.slice(0, 4)]);
  const remove = (owner: Json, key: string) => {
    if (Array.isArray(owner)) owner.splice(Number(key), 1);
    else delete owner[key];
  };

  it.each([
    ['any value was changed', paths, another],
    ['a resource or one of its properties was removed', parts, remove],
  ] as const)('shows that %s', (_, among, change) => {
    fc.assert(
      fc.property(fc.constantFrom(...among), (path) => {
        expect(outline(changed(json, path, change)), path.join('.')).not.toBe(before);
      }),
      { numRuns: 25 },
    );
  });

  it('shows the differences of a second stage from the first, and every change to them', () => {
    const json = dev.toJSON();
    const difference = outline(dev, prod);
    expect(outline(prod, prod).trim()).toBe('');
    expect(difference).toContain('DeletionProtectionEnabled: false');
    expect(difference.length).toBeLessThan(before.length / 5);
    fc.assert(
      fc.property(fc.constantFrom(...values(json)), (path) => {
        expect(outline(changed(json, path, another), prod), path.join('.')).not.toBe(difference);
      }),
      { numRuns: 20 },
    );
  });
});
