/**
 * A template as text for a snapshot: everything that is deployed, short enough to review a change.
 *
 * - `all` under a type has the values that most of its resources share; each resource shows only its differences.
 * - A second stage is shown as its difference from the first.
 * - Intrinsic functions are written `${Id}` and `${Id.Attribute}`, and joined; policy statements are sentences; `$id` is a
 *   resource's own ID, STAGE the stage.
 * - Omitted: the routes, which another test compares with the contract; file hashes; the reasons of accepted findings; the
 *   positions of graphs on the dashboard.
 */
import type { Template } from 'aws-cdk-lib/assertions';
import type { Json } from '#test/cdk/synthesise';

const MAX_LINE_CHARS = 160;
const ABSENT = 'absent';

/** One line per property. With a base, only the differences from the base's outline. */
export function outline(template: Template, base?: Template): string {
  const { Resources: resources, ...rest } = plain(template.toJSON());
  const { Resources: baseResources, ...baseRest } = plain(base?.toJSON() ?? {});
  const types = [...new Set(Object.values<Json>(resources).map(({ Type }) => String(Type)))].toSorted(
    (a, b) => a.localeCompare(b, 'en'),
  );
  const sections = types.flatMap((type) => {
    const members = contents(resources, type);
    const known = contents(baseResources ?? {}, type);
    const usual = base === undefined && members.size > 1 ? mostCommon([...members.values()]) : {};
    const shown: [string, Json][] = [
      ...(Object.keys(usual).length > 0 ? [['all', usual] satisfies [string, Json]] : []),
      ...[...members].map(
        ([id, resource]) => [id, difference(resource, known.get(id) ?? usual)] satisfies [string, Json],
      ),
      ...[...known.keys()]
        .filter((id) => !members.has(id))
        .map((id) => [id, ABSENT] satisfies [string, Json]),
    ].filter(([, value]) => base === undefined || value === ABSENT || Object.keys(value).length > 0);
    return shown.length === 0 ? [] : [type, ...shown.map(([id, value]) => lines(id, value, '  '))];
  });
  const others = Object.entries<Json>(difference(rest, baseRest)).map(([key, value]) =>
    lines(key, value, ''),
  );
  return [...others, ...sections, ''].join('\n');
}

/**
 * The resources of a type, with their properties one level up. Of accepted findings only the rules' names and what they
 * apply to.
 */
function contents(resources: Json, type: string): Map<string, Json> {
  if (type === 'AWS::ApiGatewayV2::Route') return new Map();
  return new Map(
    Object.entries<Json>(resources)
      .filter(([, { Type }]) => Type === type)
      .map(([id, { Properties, Metadata, ...others }]) => {
        delete others.Type;
        const { cdk_nag: findings, ...metadata } = Metadata ?? {};
        const accepted = findings?.rules_to_suppress.map(
          ({ id: rule, applies_to = [] }: { id: string; applies_to?: readonly Json[] }) =>
            applies_to.length === 0 ? rule : { [rule]: applies_to },
        );
        const resource = {
          ...Properties,
          ...others,
          ...(accepted === undefined ? {} : { Accepted: accepted }),
          ...(Object.keys(metadata).length === 0 ? {} : { Metadata: metadata }),
        };
        return [id, JSON.parse(JSON.stringify(resource).replaceAll(id, '$id'))];
      }),
  );
}

/** Without intrinsic functions, file hashes, and anything that the CDK derives from the stage's name. */
function plain(value: Json): Json {
  if (typeof value === 'string') return unstaged(value.replaceAll(/[0-9a-f]{64}/g, 'HASH'));
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  const [[name, argument] = ['', undefined], ...more] = Object.entries<Json>(value);
  if (more.length === 0) {
    if (name === 'Ref') return `\${${unstaged(argument)}}`;
    if (name === 'Fn::GetAtt') return `\${${unstaged(argument.join('.'))}}`;
    if (name === 'Fn::Sub' && typeof argument === 'string') return plain(argument);
    if (name === 'Fn::Join') {
      const parts = argument[1].map(plain).map((part: Json) => (isObject(part) ? short(part) : part));
      return graphs(parts.join(argument[0]));
    }
  }
  const parts = Object.entries<Json>(value).map(([key, inner]) => [unstaged(key), plain(inner)] as const);
  return Object.hasOwn(value, 'Effect') ? sentence(Object.fromEntries(parts)) : Object.fromEntries(parts);
}

/** A policy statement as a sentence. */
function sentence({ Effect, Action, Resource, Principal, Condition, ...others }: Json): string {
  const parts: [string, Json][] = [
    [Effect, Action],
    ['on', Resource],
    ['by', Principal],
    ['if', Condition],
    ['with', Object.keys(others).length === 0 ? undefined : others],
  ];
  return parts
    .filter(([, part]) => part !== undefined)
    .map(([word, part]) => `${word} ${short(part)}`)
    .join(' ');
}

function unstaged(text: string): string {
  return text
    .replaceAll(/(CurrentVersion)[0-9A-F]{8}[0-9a-f]{32}/g, '$1')
    .replaceAll(/(?:dev|prod)Product([A-Za-z0-9]*?)[0-9A-F]{8,16}(?![0-9A-F])/g, 'STAGEProduct$1')
    .replaceAll(
      /leaddistribution(?:dev|prod)([A-Za-z0-9]*?)[0-9A-F]{8}(?![0-9A-F])/g,
      'leaddistributionSTAGE$1',
    )
    .replaceAll(/\b(?:dev|prod)\b/g, 'STAGE');
}

/** The metrics of each graph in a dashboard's body, which is JSON in a string. */
function graphs(text: string): Json {
  if (!text.startsWith('{"periodOverride"')) return text;
  const { widgets, ...body }: Json = JSON.parse(text);
  const shown = widgets.map(({ properties: { title, metrics, ...others } }: Json) => ({
    title,
    ...others,
    metrics: (metrics ?? []).map((metric: Json) => short(metric)),
  }));
  return { ...body, widgets: shown };
}

function isObject(value: Json): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function same(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** For each property the value that more than half of them have; objects property by property. */
function mostCommon(values: readonly Json[]): Json {
  const keys = new Set(values.flatMap((value) => Object.keys(value)));
  return Object.fromEntries(
    [...keys].flatMap((key) => {
      const present = values.filter((value) => Object.hasOwn(value, key)).map((value) => value[key]);
      if (present.length * 2 <= values.length) return [];
      const usual = present.find(
        (one) => present.filter((other) => same(one, other)).length * 2 > values.length,
      );
      if (usual !== undefined) return [[key, usual]];
      const inner = present.every(isObject) ? mostCommon(present) : {};
      return Object.keys(inner).length === 0 ? [] : [[key, inner]];
    }),
  );
}

function difference(value: Json, base: Json): Json {
  const changed = Object.entries<Json>(value).flatMap(([key, inner]) => {
    if (same(inner, base[key])) return [];
    return [[key, isObject(inner) && isObject(base[key]) ? difference(inner, base[key]) : inner]];
  });
  const gone = Object.keys(base).filter((key) => !Object.hasOwn(value, key));
  return Object.fromEntries([...changed, ...gone.map((key) => [key, ABSENT])]);
}

/** `name: value` on one line if it fits, otherwise one line per part. */
function lines(name: string, value: Json, indent: string): string {
  const line = `${indent}${name}: ${short(value)}`;
  if (line.length <= MAX_LINE_CHARS || typeof value !== 'object') return line;
  const parts = Object.entries<Json>(value).map(([key, inner]) =>
    lines(Array.isArray(value) ? '-' : key, inner, `${indent}  `),
  );
  return [`${indent}${name}:`, ...parts].join('\n');
}

/** JSON without quotes: it is compared and read, never parsed. */
function short(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(short).join(', ')}]`;
  if (!isObject(value)) return String(value).replaceAll(/\s*\n\s*/g, ' ');
  return `{${Object.entries<Json>(value)
    .map(([key, inner]) => `${key}: ${short(inner)}`)
    .join(', ')}}`;
}
