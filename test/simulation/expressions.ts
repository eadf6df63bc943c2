/**
 * DynamoDB's expressions, parsed once per text: conditions, updates and the paths in them. Grammar:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html Where the
 * embedded engine and Amazon's local edition differ, this follows the stricter one.
 */
import type { Item } from '#functions/data/table/table';

export interface Placeholders {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The request is invalid for any item. */
export class ValidationException extends Error {
  override readonly name = 'ValidationException';
}

const invalid = (text: string) => new ValidationException(text);

type Token = string;
const TOKEN = /\s*(<>|<=|>=|[=<>(),+\-.]|[#:]?[A-Za-z0-9_]+)/y;

function tokens(text: string): Token[] {
  const found: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match?.[1] === undefined) {
      if (text.slice(at).trim() === '') break;
      throw invalid(`Syntax error at ${text.slice(at, at + 20)}`);
    }
    found.push(match[1]);
  }
  return found;
}

type Path = readonly string[];
type Operand = (item: Item, given: Placeholders) => unknown;
type Condition = (item: Item, given: Placeholders) => boolean;

/** The value of a missing attribute. */
const MISSING = undefined;

export function typeOf(value: unknown): 'S' | 'N' | 'BOOL' | 'NULL' | 'L' | 'M' | 'SS' | 'NS' | undefined {
  const type = typeof value;
  if (type === 'string') return 'S';
  if (type === 'number') return 'N';
  if (type === 'boolean') return 'BOOL';
  if (type !== 'object') return undefined;
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return 'L';
  if (value instanceof Set) return typeof value.values().next().value === 'number' ? 'NS' : 'SS';
  return 'M';
}

export function equal(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  const type = typeOf(one);
  if (type !== typeOf(other) || typeof one !== 'object' || typeof other !== 'object') return false;
  if (one === null || other === null) return false;
  if (one instanceof Set && other instanceof Set)
    return one.size === other.size && [...one].every((value) => other.has(value));
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, at) => equal(value, other[at]));
  const [left, right] = [one as Item, other as Item];
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => name in right && equal(left[name], right[name]))
  );
}

const FIRST_SURROGATE = 0xd800;
/** The order of DynamoDB's strings: by their bytes in UTF-8, which is that of UTF-16 except for surrogates. */
export function compareText(one: string, other: string): number {
  if (one === other) return 0;
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at += 1) {
    const [left, right] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (left === right) continue;
    if (left >= FIRST_SURROGATE && right >= FIRST_SURROGATE)
      return Buffer.compare(Buffer.from(one), Buffer.from(other));
    return left - right;
  }
  return one.length - other.length;
}

/** Negative, zero or positive; undefined if the values cannot be compared. */
function order(one: unknown, other: unknown): number | undefined {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one === 'string' && typeof other === 'string') return compareText(one, other);
  return undefined;
}

const isMap = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !(value instanceof Set) && !Array.isArray(value);

function get(item: unknown, path: Path, given: Placeholders): unknown {
  let value = item;
  for (const step of path) {
    if (!isMap(value)) return MISSING;
    const name = nameOf(step, given);
    value = Object.hasOwn(value, name) ? value[name] : MISSING;
  }
  return value;
}

function nameOf(step: string, { names }: Placeholders): string {
  if (!step.startsWith('#')) return step;
  const name = names[step];
  if (name === undefined)
    throw invalid(`An expression attribute name used in the document path is not defined: ${step}`);
  return name;
}

function valueOf(token: string, { values }: Placeholders): unknown {
  const value = values[token];
  if (value === undefined)
    throw invalid(`An expression attribute value used in expression is not defined: ${token}`);
  return value;
}

export interface Used {
  readonly names: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
}

class Parser {
  readonly #tokens: Token[];
  #at = 0;
  readonly names = new Set<string>();
  readonly values = new Set<string>();

  constructor(text: string) {
    this.#tokens = tokens(text);
  }

  get done(): boolean {
    return this.#at >= this.#tokens.length;
  }
  peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#at + ahead];
  }
  take(): Token {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw invalid('Unexpected end of the expression');
    this.#at += 1;
    return token;
  }
  is(word: string): boolean {
    return this.peek()?.toUpperCase() === word;
  }
  maybe(word: string): boolean {
    if (!this.is(word)) return false;
    this.#at += 1;
    return true;
  }
  expect(word: string): void {
    if (!this.maybe(word))
      throw invalid(`Syntax error: expected ${word} and found ${this.peek() ?? 'the end'}`);
  }

  path(): Path {
    const path = [this.#name()];
    while (this.maybe('.')) path.push(this.#name());
    return path;
  }
  #name(): string {
    const token = this.take();
    if (!/^#?[A-Za-z0-9_]+$/.test(token)) throw invalid(`Syntax error: ${token} is no name`);
    if (token.startsWith('#')) this.names.add(token);
    return token;
  }

  operand(): Operand {
    const token = this.peek() ?? '';
    if (token.startsWith(':')) {
      this.take();
      this.values.add(token);
      return (_, given) => valueOf(token, given);
    }
    if (this.isCall('size')) {
      const [path] = this.call();
      return (item, given) => sizeOf(get(item, path, given));
    }
    const path = this.path();
    return (item, given) => get(item, path, given);
  }
  isCall(name: string): boolean {
    return this.peek() === name && this.peek(1) === '(';
  }
  /** A function with its arguments: a path, and the result of `second`. */
  call(second?: () => Operand): readonly [Path, Operand | undefined] {
    this.take();
    this.expect('(');
    const path = this.path();
    const other = second !== undefined && this.maybe(',') ? second() : undefined;
    this.expect(')');
    return [path, other];
  }

  condition(): Condition {
    return this.#chain('OR', () => this.#chain('AND', () => this.#not()));
  }
  /** Parses all parts, so that an invalid one is rejected for any item. */
  #chain(word: 'OR' | 'AND', part: () => Condition): Condition {
    let left = part();
    while (this.maybe(word)) {
      const [one, other] = [left, part()];
      left = (item, given) => {
        const [met, also] = [one(item, given), other(item, given)];
        return word === 'OR' ? met || also : met && also;
      };
    }
    return left;
  }
  #not(): Condition {
    if (this.maybe('NOT')) {
      const inner = this.#not();
      return (item, given) => !inner(item, given);
    }
    if (!this.maybe('(')) return this.#comparison();
    const inner = this.condition();
    this.expect(')');
    return inner;
  }
  #comparison(): Condition {
    const token = this.peek() ?? '';
    if (this.peek(1) === '(' && token !== 'size') return this.#function(token);
    const left = this.operand();
    const comparator = this.take().toUpperCase();
    if (comparator === 'BETWEEN') {
      const from = this.operand();
      this.expect('AND');
      const [least, most] = [
        ordered(left, from, (by) => by >= 0),
        ordered(left, this.operand(), (by) => by <= 0),
      ];
      return (item, given) => {
        const [isLeast, isMost] = [least(item, given), most(item, given)];
        return isLeast && isMost;
      };
    }
    if (comparator === 'IN') {
      this.expect('(');
      const list = [this.operand()];
      while (this.maybe(',')) list.push(this.operand());
      this.expect(')');
      return (item, given) => list.some((one) => equalAttributes(left(item, given), one(item, given)));
    }
    const right = this.operand();
    if (comparator === '=') return (item, given) => equalAttributes(left(item, given), right(item, given));
    if (comparator === '<>') return (item, given) => !equalAttributes(left(item, given), right(item, given));
    const is = ORDERS[comparator];
    if (is === undefined) throw invalid(`Syntax error: ${comparator}`);
    return ordered(left, right, is);
  }
  #function(name: string): Condition {
    const is = FUNCTIONS[name];
    if (is === undefined) throw invalid(`Invalid function name: ${name}`);
    const [path, second] = this.call(() => this.operand());
    return (item, given) => is(get(item, path, given), second?.(item, given));
  }

  /** The right side of SET. */
  sum(): Operand {
    const left = this.#term();
    const sign = this.peek();
    if (sign !== '+' && sign !== '-') return left;
    this.take();
    const right = this.#term();
    return (item, given) => {
      const [one, other] = [left(item, given), right(item, given)];
      if (one === MISSING || other === MISSING)
        throw invalid('The provided expression refers to an attribute that does not exist in the item');
      if (typeof one !== 'number' || typeof other !== 'number') throw misfit();
      return sign === '+' ? one + other : one - other;
    };
  }
  #term(): Operand {
    if (!this.isCall('if_not_exists')) return this.operand();
    const [path, otherwise] = this.call(() => this.#term());
    return (item, given) => {
      const value = get(item, path, given);
      return value === MISSING ? otherwise?.(item, given) : value;
    };
  }
}

const ORDERS: Readonly<Record<string, (by: number) => boolean>> = {
  '<': (by) => by < 0,
  '<=': (by) => by <= 0,
  '>': (by) => by > 0,
  '>=': (by) => by >= 0,
};
const FUNCTIONS: Readonly<Record<string, (value: unknown, second: unknown) => boolean>> = {
  attribute_exists: (value) => value !== MISSING,
  attribute_not_exists: (value) => value === MISSING,
  attribute_type: (value, type) => value !== MISSING && typeOf(value) === type,
  begins_with: (value, prefix) =>
    typeof value === 'string' && typeof prefix === 'string' && value.startsWith(prefix),
};

/** Two missing attributes are not equal. */
const equalAttributes = (one: unknown, other: unknown) =>
  one !== MISSING && other !== MISSING && equal(one, other);

function requireOrdered(value: unknown): void {
  if (value !== MISSING && typeof value !== 'number' && typeof value !== 'string')
    throw invalid(`Incorrect operand type for operator or function; operand type: ${typeOf(value)}`);
}

function ordered(left: Operand, right: Operand, is: (by: number) => boolean): Condition {
  return (item, given) => {
    const other = right(item, given);
    requireOrdered(other);
    const by = order(left(item, given), other);
    return by !== undefined && is(by);
  };
}

function sizeOf(value: unknown): number | undefined {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value instanceof Set) return value.size;
  if (Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : undefined;
}

/** Parses each text once. */
function once<T>(parse: (parser: Parser) => T): (text: string) => T & { readonly used: Used } {
  const known = new Map<string, T & { readonly used: Used }>();
  return (text) => {
    let parsed = known.get(text);
    if (parsed === undefined) {
      const parser = new Parser(text);
      parsed = { ...parse(parser), used: parser };
      known.set(text, parsed);
    }
    return parsed;
  };
}

export const parseCondition = once((parser) => {
  const met = parser.condition();
  if (!parser.done) throw invalid(`Syntax error: ${parser.peek() ?? ''}`);
  return { met };
});

interface Action {
  readonly section: string;
  readonly path: Path;
  readonly value: Operand;
}

/** Returns a new item; the given one does not change. */
export const parseUpdate = once((parser) => {
  const actions = actionsOf(parser);
  return { apply: (item: Item, given: Placeholders) => applied(item, actions, given) };
});

/** How the value of a clause is parsed. */
const SECTIONS: Readonly<Record<string, (parser: Parser) => Operand>> = {
  SET: (parser) => {
    parser.expect('=');
    return parser.sum();
  },
  REMOVE: () => () => MISSING,
  ADD: (parser) => parser.operand(),
  DELETE: (parser) => parser.operand(),
};

function actionsOf(parser: Parser): Action[] {
  const actions: Action[] = [];
  const sections = new Set<string>();
  while (!parser.done) {
    const section = parser.take().toUpperCase();
    const valueIn = SECTIONS[section];
    if (valueIn === undefined) throw invalid(`Syntax error: ${section}`);
    if (sections.has(section))
      throw invalid(`The "${section}" section can only be used once in an update expression`);
    sections.add(section);
    do actions.push({ section, path: parser.path(), value: valueIn(parser) });
    while (parser.maybe(','));
  }
  if (actions.length === 0) throw invalid('The expression can not be empty');
  return actions;
}

const KEY_NAMES = new Set(['pk', 'sk']);

function applied(item: Item, actions: readonly Action[], given: Placeholders): Item {
  const resolved = actions.map(({ section, path, value }) => ({
    section,
    path: path.map((step) => nameOf(step, given)),
    value: value(item, given),
  }));
  requireApart(resolved.map(({ path }) => path));
  const result: Item = { ...item };
  const copied = new Set<object>([result]);
  for (const { section, path, value } of resolved) {
    const [first = '', last = ''] = [path[0], path[path.length - 1]];
    if (KEY_NAMES.has(first))
      throw invalid(`Cannot update attribute ${first}. This attribute is part of the key`);
    const parent = parentOf(result, path, copied);
    const left = changed(section, parent[last], value);
    if (left === MISSING) delete parent[last];
    else parent[last] = left;
  }
  return result;
}

const misfit = () => invalid('An operand in the update expression has an incorrect data type');

function changed(section: string, present: unknown, value: unknown): unknown {
  if (section === 'REMOVE') return MISSING;
  if (section === 'SET') {
    if (value !== MISSING) return value;
    throw invalid('The provided expression refers to an attribute that does not exist in the item');
  }
  const isAdded = section === 'ADD';
  if (isAdded && typeof value === 'number') {
    if (present === MISSING) return value;
    if (typeof present === 'number') return present + value;
  }
  if (!(value instanceof Set)) throw misfit();
  if (present === MISSING) return isAdded ? new Set(value) : MISSING;
  if (!(present instanceof Set) || typeOf(present) !== typeOf(value)) throw misfit();
  if (isAdded) return new Set([...present, ...value]);
  const left = new Set([...present].filter((one) => !value.has(one)));
  return left.size === 0 ? MISSING : left;
}

/** The map that holds the last step of a path, copied so that the stored item stays as it is. */
function parentOf(item: Item, path: Path, copied: Set<object>): Item {
  let parent = item;
  for (const step of path.slice(0, -1)) {
    const child = parent[step];
    if (!isMap(child))
      throw invalid('The document path provided in the update expression is invalid for update');
    const own = copied.has(child) ? child : { ...child };
    copied.add(own);
    parent[step] = own;
    parent = own;
  }
  return parent;
}

function requireApart(paths: readonly Path[]): void {
  if (paths.length < 2) return;
  const seen = new Set<string>();
  for (const path of paths) {
    const text = nameOfPath(path);
    if (seen.has(text)) throw overlap();
    seen.add(text);
  }
  for (const path of paths)
    for (let length = 1; length < path.length; length += 1)
      if (seen.has(nameOfPath(path.slice(0, length)))) throw overlap();
}

const nameOfPath = (path: Path) => (path.length === 1 ? String(path[0]) : JSON.stringify(path));
const overlap = () => invalid('Invalid UpdateExpression: Two document paths overlap with each other');
