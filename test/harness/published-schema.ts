/** Random requests from the API document, to compare it with the API's validation. */
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { openApiDocument } from '#shared/contract/openapi';
import { type EndpointId, routes } from '#shared/contract/routes';
import { parseGermanNumber } from '#shared/rules/formats';

/** Keywords that the generator supports; `Ajv` checks all of them. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: JsonSchema;
}

export interface Operation {
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: JsonSchema } };
  };
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

const paths = openApiDocument('https://leads.example').paths as Record<string, Record<string, Operation>>;

export function operationOf(id: EndpointId): Operation {
  const { path, method } = routes[id];
  const operation = paths[path]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${id} is not in the document`);
  return operation;
}

/** The published schema of a part of a request, with parameters as one object; undefined if there is none. */
export function publishedSchema(id: EndpointId, part: 'params' | 'query' | 'body'): JsonSchema | undefined {
  const { parameters, requestBody } = operationOf(id);
  if (part === 'body') return requestBody?.content['application/json'].schema;
  const location = part === 'params' ? 'path' : 'query';
  const own = parameters.filter((parameter) => parameter.in === location);
  if (own.length === 0) return undefined;
  return {
    type: 'object',
    properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])),
    required: own.flatMap(({ name, required }) => (required ? [name] : [])),
  };
}

const ajv = new Ajv2020({
  strict: false,
  validateSchema: false,
  multipleOfPrecision: 6,
  code: { optimize: false },
});
const validators = new Map<JsonSchema, ValidateFunction>();

/** @returns a validator's complaints about the value; none if it is valid */
export function violations(schema: JsonSchema, value: unknown): readonly ErrorObject[] {
  const validate = validators.get(schema) ?? ajv.compile(schema);
  validators.set(schema, validate);
  return validate(value) ? [] : (validate.errors ?? []);
}

/** Values that the schema accepts, often at its limits. */
export function validBy(schema: JsonSchema): fc.Arbitrary<unknown> {
  return anything(schema).filter((value) => violations(schema, value).length === 0);
}

function anything(schema: JsonSchema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(validBy));
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return fc.constantFrom(...INSTEAD);
  return fc.oneof(...types.map((type) => ofType(type, schema)));
}

function ofType(type: string, schema: JsonSchema): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return texts(schema);
    case 'integer':
    case 'number':
      return numbers(type, schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(validBy(schema.items ?? {}), { maxLength: 3 });
    case 'object':
      return objects(schema);
    default:
      throw new Error(`The generator does not support ${type}`);
  }
}

/** Texts on which a hand-written check and a schema may disagree: blanks, control characters, spelled numbers. */
const ODD = [
  '', ' ', '\t', '\u00a0', '\ufeff', ' a ', '\n', 'a\nb', '\u0000', 'a\u007fb', '\u2028', '0', '-1', '1e3', '007', '1.000', '1,5',
  'null', '..', '.', 'active', 'leads', '__proto__', 'constructor', 'a..b@c.de', 'ä@ö.de', 'other', 'ab', '<b>x</b>',
  '$$nobody$$', '$$email$$', '$$$$a$$', '25', '********', '{"a":1}', ',', 'pending,,approved', '99999999999999999',
]; // biome-ignore format: a list to be skimmed

function texts({ pattern, minLength = 0, maxLength = 200 }: JsonSchema): fc.Arbitrary<string> {
  const length = { minLength, maxLength: Math.min(maxLength, 200) };
  return fc.oneof(
    ...(pattern === undefined || pattern.includes('\\p')
      ? []
      : [fc.stringMatching(new RegExp(pattern, 'u')), withOddInside(new RegExp(pattern, 'u'))]),
    fc.constantFrom(...ODD),
    fc.constantFrom('x'.repeat(maxLength), 'x'.repeat(minLength)),
    // Without surrogate pairs, which the document says to count twice.
    fc.string({
      ...length,
      unit: fc.integer({ min: 0, max: 0xd7ff }).map((code) => String.fromCharCode(code)),
    }),
    fc.string(length),
  );
}

/** Characters that a negated class of a pattern accepts and that are easily forgotten. */
const INSIDE = ['\u0000', '\t', '\n', '\u001f', ' ', '\u007f', '\u00a0', '\u00ad', '\u2028', '..', 'ä'];

const withOddInside = (pattern: RegExp) =>
  fc
    .tuple(fc.stringMatching(pattern), fc.constantFrom(...INSIDE), fc.nat())
    .map(
      ([text, odd, at]) => text.slice(0, at % (text.length + 1)) + odd + text.slice(at % (text.length + 1)),
    );

function numbers(type: 'integer' | 'number', schema: JsonSchema): fc.Arbitrary<number> {
  const { minimum: min = -1000, maximum: max = 1000, multipleOf } = schema;
  const whole = fc.oneof(fc.constantFrom(min, max, 0, 1, 25), fc.integer({ min: Math.ceil(min), max }));
  if (type === 'integer') return whole;
  const step = multipleOf === undefined ? 0.5 : multipleOf;
  const steps = fc.integer({ min: Math.ceil(min / step), max: Math.floor(max / step) });
  return fc.oneof(
    whole,
    steps.map((count) => Number((count * step).toFixed(2))),
  );
}

function objects(schema: JsonSchema): fc.Arbitrary<object> {
  const { properties, required = [], propertyNames, additionalProperties } = schema;
  if (properties !== undefined)
    return fc.record(
      Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, validBy(property)])),
      { requiredKeys: [...required] },
    );
  return fc.dictionary(
    validBy({ type: 'string', ...propertyNames }).map(String),
    validBy(typeof additionalProperties === 'object' ? additionalProperties : {}),
    { maxKeys: 3 },
  );
}

/** Values of a wrong type, sent by mistake or as an attack. */
const INSTEAD: readonly unknown[] = [
  null, true, false, 0, 1, -1, 1.5, 0.001, 1e-9, 1e21, [], {}, [1], { a: 1 }, ...ODD,
]; // biome-ignore format: a list to be skimmed

/** Requests that the schema accepts, with one value left out, replaced or altered, so that most are invalid. */
export function spoilt(schema: JsonSchema): fc.Arbitrary<unknown> {
  const alter = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...INSTEAD).map((instead) => () => instead) },
    { weight: 1, arbitrary: fc.string().map((instead) => () => instead) },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.constantFrom(...ODD), fc.boolean()).map(
        ([odd, before]) =>
          (value: unknown) =>
            before ? odd + asText(value) : asText(value) + odd,
      ),
    },
    { weight: 1, arbitrary: fc.constant(() => undefined) },
  );
  return fc.tuple(validBy(schema), fc.nat(), alter).map(([value, at, change]) => {
    const paths = pathsIn(value);
    const path = paths[at % paths.length];
    return path === undefined ? value : withChanged(value, path, change);
  });
}

const asText = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

type Path = readonly (string | number)[];

function pathsIn(value: unknown): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return keys.flatMap((key) => [
    [key],
    ...pathsIn((value as Record<string | number, unknown>)[key]).map((path) => [key, ...path]),
  ]);
}

/** A copy with one value changed, or without it if `change` returns undefined. */
function withChanged(value: unknown, [key, ...path]: Path, change: (value: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  const entries = Object.entries(value as object).flatMap(([name, one]): [string, unknown][] => {
    const changed = name === String(key) ? withChanged(one, path, change) : one;
    return changed === undefined ? [] : [[name, changed]];
  });
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries);
}

/**
 * The request in its standard form, if it uses one of the other notations that the document describes in words: blanks
 * around a text, or a number or object as text.
 */
export function tidied(schema: JsonSchema, value: unknown): unknown {
  let tidy = value;
  for (let round = 0; round < 10; round += 1) {
    const before = tidy;
    for (const { instancePath, params } of violations(schema, tidy)) {
      const path = instancePath.split('/').slice(1).map(decodedPointer);
      tidy = withChanged(tidy, path, (found) =>
        typeof found === 'string' ? tidyText(found, params.type) : found,
      );
    }
    if (JSON.stringify(tidy) === JSON.stringify(before)) return tidy;
  }
  return tidy;
}

const decodedPointer = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~');

function tidyText(text: string, wanted: unknown): unknown {
  const types = new Set([wanted].flat());
  if (types.has('number') || types.has('integer')) return parseGermanNumber(text) ?? text.trim();
  // If a text is allowed there too, it must be empty, so the object itself was meant.
  if (!types.has('object') && !text.trimStart().startsWith('{')) return text.trim();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
