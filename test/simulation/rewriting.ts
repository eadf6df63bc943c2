/** How a mutant changes what the product sends to the table. */
import type { Command, Rewrite } from '#test/simulation/outside';
import type { Input } from '#test/simulation/table-model';

export interface Mutant {
  readonly name: string;
  /** The small world of which some interleaving shows it. */
  readonly small?: string;
  readonly rewrite: Rewrite;
}

export type Part = Input;
export type Change = (part: Part) => Part | undefined;

export const expressionsOf = ({ ConditionExpression, UpdateExpression }: Part) =>
  `${ConditionExpression ?? ''} ${UpdateExpression ?? ''}`;

/** Leaves out the names and values that no expression uses any more: the table refuses those. */
function tidy(part: Part): Part {
  const text = expressionsOf(part);
  const used = (name: string) => new RegExp(`${name}(?![A-Za-z0-9_])`).test(text);
  const kept = <T>(all: Readonly<Record<string, T>> | undefined) =>
    all && Object.fromEntries(Object.entries(all).filter(([name]) => used(name)));
  const { ConditionExpression: condition, ...rest } = part;
  const [names, values] = [kept(part.ExpressionAttributeNames), kept(part.ExpressionAttributeValues)];
  return {
    ...rest,
    ...(condition !== undefined && condition !== '' && { ConditionExpression: condition }),
    ...(names && { ExpressionAttributeNames: names }),
    ...(values && { ExpressionAttributeValues: values }),
  };
}

/** Changes every write for which `change` answers, alone or in a transaction; an empty one is left out of it. */
export const rewriting =
  (change: Change): Rewrite =>
  ({ name, input }: Command): Command => {
    if (name === 'TransactWriteCommand') {
      const items = (input.TransactItems ?? []).flatMap((item) => {
        const [[kind, part] = ['', undefined]] = Object.entries(item);
        if (part === undefined) return [item];
        const changed = change(part);
        return changed === part ? [item] : changed === undefined ? [] : [{ [kind]: tidy(changed) }];
      });
      const given = input.TransactItems ?? [];
      const same = items.length === given.length && items.every((item, at) => item === given[at]);
      return { name, input: same ? input : { ...input, TransactItems: items } };
    }
    if (!/^(Put|Update|Delete)Command$/.test(name)) return { name, input };
    const changed = change(input);
    return changed === input || changed === undefined ? { name, input } : { name, input: tidy(changed) };
  };

/** Takes a text out of the condition of writes whose expressions contain another one. */
export const without = (where: RegExp, part: RegExp): Rewrite =>
  rewriting((write) => {
    const condition = write.ConditionExpression;
    if (condition === undefined || !where.test(expressionsOf(write)) || !part.test(condition)) return write;
    const left = condition
      .replace(part, '')
      .replace(/^\s*(AND|OR)\s+|\s+(AND|OR)\s*$/g, '')
      .replace(/\s+AND\s+AND\s+/g, ' AND ')
      .trim();
    return { ...write, ConditionExpression: left };
  });

export const unconditional = (where: RegExp): Rewrite =>
  rewriting((write) =>
    write.ConditionExpression !== undefined && where.test(`${keyText(write)} ${expressionsOf(write)}`)
      ? { ...write, ConditionExpression: '' }
      : write,
  );

export const keyText = (write: Part) => {
  const key = write.Item ?? write.Key;
  return `${String(key?.pk)}/${String(key?.sk)}`;
};
