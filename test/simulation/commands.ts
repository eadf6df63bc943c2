/** Random commands for comparing the table's model with a real engine. */
import type { Command } from '#test/simulation/outside';
import { Draws } from '#test/simulation/random';
import type { Input } from '#test/simulation/table-model';

const CONDITIONS: readonly string[] = [
  'attribute_not_exists(pk)',
  'attribute_exists(pk)',
  '#a = :n',
  '#a <> :n',
  '#a < :n',
  '#a >= :n AND attribute_exists(#m.#k)',
  '#a = :s OR NOT attribute_exists(#b)',
  '#b BETWEEN :s AND :t',
  'begins_with(#b, :s)',
  'attribute_type(#a, :type)',
  'attribute_not_exists(#m.#k) OR #m.#k = :n',
  'size(#m) = :n',
  'size(#b) > :n',
  '#b = :null',
  '(#a = :n OR #b = :s) AND NOT #a = #b',
  '#b IN (:s, :t)',
];
const UPDATES: readonly string[] = [
  'SET #a = :n',
  'SET #a = #a + :n',
  'SET #a = if_not_exists(#a, :n) + :n, #b = :s',
  'SET #b = :null REMOVE #a',
  'ADD #a :n',
  'ADD #set :numbers',
  'DELETE #set :numbers',
  'SET #m = :map',
  'SET #m.#k = :n',
  'SET #m.#k = if_not_exists(#m.#k, :n) - :n REMOVE #b',
  'SET #b = :t, gsi1pk = :s, gsi1sk = :t',
  'REMOVE gsi1pk, gsi1sk',
  'ADD #texts :names DELETE #set :numbers',
];
const NAMES: Readonly<Record<string, string>> = {
  '#a': 'a',
  '#b': 'b',
  '#m': 'm',
  '#k': 'k',
  '#set': 'numbers',
  '#texts': 'texts',
};

/** Commands on few keys, so that they conflict. */
export function randomCommands(seed: number, count: number): Command[] {
  const draws = new Draws(seed);
  const key = () => ({
    pk: draws.pick('pk', ['P1', 'P2', 'Pä']),
    sk: draws.pick('sk', ['S1', 'S2', 'S10', 'Ü', '\u{1F600}']),
  });
  const values = (): Record<string, unknown> => ({
    ':n': draws.pick('n', [0, 1, 2, -3, 1.5]),
    ':s': draws.pick('s', ['a', 'b', 'S']),
    ':t': draws.pick('t', ['b', 'c', 'tt']),
    ':null': null,
    ':type': draws.pick('type', ['N', 'S', 'M', 'NULL']),
    ':map': draws.pick('map', [{}, { k: 1 }, { k: 2, l: 'x' }]),
    ':numbers': new Set(draws.pick('numbers', [[1], [1, 2], [3]])),
    ':names': new Set(draws.pick('names', [['x'], ['x', 'y']])),
  });
  const used = (text: string) => {
    const isIn = ([name]: [string, unknown]) => new RegExp(`${name}(?![A-Za-z])`).test(text);
    const [names, given] = [Object.entries(NAMES).filter(isIn), Object.entries(values()).filter(isIn)];
    return {
      ...(names.length > 0 && { ExpressionAttributeNames: Object.fromEntries(names) }),
      ...(given.length > 0 && { ExpressionAttributeValues: Object.fromEntries(given) }),
    };
  };
  const write = (): readonly ['Put' | 'Update' | 'Delete', Input] => {
    const condition = draws.chance('conditional', 0.7) ? draws.pick('condition', CONDITIONS) : undefined;
    const conditional = condition === undefined ? {} : { ConditionExpression: condition };
    const kind = draws.below('write', 4);
    if (kind > 1) {
      const update = draws.pick('update', UPDATES);
      const expressions = {
        UpdateExpression: update,
        ...conditional,
        ...used(`${update} ${condition ?? ''}`),
      };
      return ['Update', { Key: key(), ...expressions }];
    }
    if (kind === 1) return ['Delete', { Key: key(), ...conditional, ...used(condition ?? '') }];
    const item = {
      ...key(),
      a: draws.below('a', 3),
      b: draws.pick('b', ['a', null, 'bb']),
      m: {},
      ...(draws.chance('listed', 0.5) && { gsi1pk: 'a', gsi1sk: draws.pick('gsi', ['1', '2', '3']) }),
    };
    return ['Put', { Item: item, ...conditional, ...used(condition ?? '') }];
  };
  return Array.from({ length: count }, (): Command => {
    const kind = draws.next('kind');
    if (kind < 0.12) return { name: 'GetCommand', input: { Key: key(), ConsistentRead: true } };
    if (kind < 0.2)
      return {
        name: 'QueryCommand',
        input: {
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
          ExpressionAttributeValues: { ':pk': key().pk, ':sk': 'S' },
          ScanIndexForward: draws.chance('forward', 0.5),
          ...(draws.chance('limit', 0.5) && { Limit: 2 }),
        },
      };
    if (kind < 0.28)
      return {
        name: 'QueryCommand',
        input: {
          IndexName: 'gsi1',
          KeyConditionExpression: 'gsi1pk = :pk',
          ExpressionAttributeValues: { ':pk': 'a' },
          ScanIndexForward: draws.chance('forward', 0.5),
        },
      };
    if (kind < 0.45)
      return {
        name: 'TransactWriteCommand',
        input: {
          TransactItems: Array.from({ length: 1 + draws.below('parts', 3) }, () => {
            const [verb, part] = write();
            return { [verb]: { ...part, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } };
          }),
        },
      };
    const [verb, part] = write();
    return {
      name: `${verb}Command`,
      input: {
        ...part,
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        ...(verb === 'Update' && { ReturnValues: 'ALL_NEW' }),
        ...(verb === 'Delete' && { ReturnValues: 'ALL_OLD' }),
      },
    };
  });
}
