/** Changes of mutants to the product's table commands. */
import type { Item } from '#functions/data/table/table';
import type { Command, Rewrite } from '#test/simulation/outside';
import type { Input as Write } from '#test/simulation/table-model';

/** Removes unused names and values, and empty lists of them, because the table rejects both. */
function tidy(write: Write): Write {
  const { ConditionExpression: condition, ...rest } = write;
  const used = ([name]: [string, unknown]) =>
    new RegExp(`${name}(?![A-Za-z0-9_])`).test(`${condition ?? ''} ${write.UpdateExpression ?? ''}`);
  const kept = <T>(all: Readonly<Record<string, T>> = {}) => {
    const entries = Object.entries(all).filter(used);
    return entries.length > 0 ? Object.fromEntries(entries) : undefined;
  };
  return {
    ...rest,
    ...(condition && { ConditionExpression: condition }),
    ExpressionAttributeNames: kept(write.ExpressionAttributeNames),
    ExpressionAttributeValues: kept(write.ExpressionAttributeValues),
  };
}

/** Changes every write for which `change` returns a result, alone or in a transaction; an empty result drops the write. */
export const rewriting =
  (change: (write: Write) => Write | undefined): Rewrite =>
  ({ name, input }: Command): Command => {
    if (name === 'TransactWriteCommand') {
      const given = input.TransactItems ?? [];
      const items = given.flatMap((item) => {
        const [[kind, write] = ['', undefined]] = Object.entries(item);
        const changed = write && change(write);
        return changed === write ? [item] : changed === undefined ? [] : [{ [kind]: tidy(changed) }];
      });
      const isSame = items.length === given.length && items.every((item, at) => item === given[at]);
      return { name, input: isSame ? input : { ...input, TransactItems: items } };
    }
    if (!/^(Put|Update|Delete)Command$/.test(name)) return { name, input };
    const changed = change(input);
    return changed === input || changed === undefined ? { name, input } : { name, input: tidy(changed) };
  };

const expressionsOf = ({ ConditionExpression, UpdateExpression }: Write) =>
  `${ConditionExpression ?? ''} ${UpdateExpression ?? ''}`;
const keyOf = ({ Item, Key }: Write) => `${String((Item ?? Key)?.pk)}/${String((Item ?? Key)?.sk)}`;
/** Key, condition and update of a write, for patterns. */
const textOf = (write: Write) => `${keyOf(write)} ${expressionsOf(write)}`;
const unconditionally = (write: Write) => ({ ...write, ConditionExpression: '' });

/** Removes a text from the condition of writes whose expressions contain another text. */
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

/** Removes the whole condition from such writes. */
export const unconditional = (where: RegExp): Rewrite =>
  rewriting((write) =>
    write.ConditionExpression && where.test(textOf(write)) ? unconditionally(write) : write,
  );

/** Puts items unconditionally. */
export const overwriting = (where: RegExp, is: (item: Item) => boolean = () => true): Rewrite =>
  rewriting((write) =>
    write.Item && where.test(keyOf(write)) && is(write.Item) ? unconditionally(write) : write,
  );

/** Changes the text of updates that contain it. */
export const updating = (from: string | RegExp, to: string): Rewrite =>
  rewriting((write) => {
    const update = write.UpdateExpression;
    const changed = update?.replace(from, to);
    return changed === update || changed === undefined ? write : { ...write, UpdateExpression: changed };
  });

/** Drops such writes from their transactions. */
export const dropping = (where: RegExp, is: (write: Write) => boolean = () => true): Rewrite =>
  rewriting((write) => (where.test(textOf(write)) && is(write) ? undefined : write));

/** The same rewrite, for transactions that contain such a write. */
export const inTransactions =
  (where: RegExp, rewrite: Rewrite): Rewrite =>
  (command) =>
    (command.input.TransactItems ?? []).some((item) =>
      Object.values(item).some((write) => where.test(textOf(write))),
    )
      ? rewrite(command)
      : command;
