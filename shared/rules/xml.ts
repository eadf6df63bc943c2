/**
 * A strict reader of XML 1.0 without document types. Knows the five predefined entities and numeric characters; namespaces are
 * part of a name.
 */

export type XmlReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

const NAME = '[A-Za-z_\\u00c0-\\ud7ff\\uf900-\\ufffd][\\w.:\\-\\u00b7-\\ud7ff\\uf900-\\ufffd]*';
/** Sticky: each is tried where the last one ended. */
const TOKENS = {
  skipped: /<!--(?:(?!--)[\s\S])*-->|<\?[\s\S]*?\?>/y,
  cdata: /<!\[CDATA\[([\s\S]*?)\]\]>/y,
  close: new RegExp(`</(${NAME})\\s*>`, 'y'),
  open: new RegExp(`<(${NAME})((?:\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>`, 'y'),
  text: /[^<]+/y,
} as const;
const ATTRIBUTE = new RegExp(`(${NAME})\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'g');
const ENTITY = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** Characters that XML 1.0 cannot have at all, not even by number. */
// oxlint-disable-next-line no-control-regex
const IMPOSSIBLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
/** Limits the depth, so that callers can walk through a value recursively. */
const MAX_DEPTH = 100;

interface Element {
  readonly name: string;
  /** `@name` for attributes; each with all its values. */
  readonly parts: Map<string, unknown[]>;
  text: string;
}

/**
 * An element with only text is that text; any other is an object of its elements, attributes as `@name` and text as `#text`.
 * Repeated elements are a list.
 */
export function readXml(document: string): XmlReading {
  if (IMPOSSIBLE.test(document))
    return { ok: false, problem: 'it contains a character that XML does not allow' };
  const root: Element = { name: '', parts: new Map(), text: '' };
  const open: Element[] = [root];
  let at = /^\ufeff?/.exec(document)?.[0].length ?? 0;
  const take = (token: RegExp): RegExpExecArray | undefined => {
    token.lastIndex = at;
    const found = token.exec(document) ?? undefined;
    if (found !== undefined) at = token.lastIndex;
    return found;
  };
  while (at < document.length) {
    const within = open.at(-1) ?? root;
    const text = take(TOKENS.text)?.[0];
    if (text !== undefined) {
      const decoded = decode(text);
      if (decoded === undefined) return { ok: false, problem: 'a & is not escaped; use &amp;' };
      if (within === root && decoded.trim() !== '')
        return { ok: false, problem: 'it has text outside its element' };
      within.text += decoded;
      continue;
    }
    if (take(TOKENS.skipped) !== undefined) continue;
    const cdata = within === root ? undefined : take(TOKENS.cdata);
    if (cdata !== undefined) {
      within.text += cdata[1] ?? '';
      continue;
    }
    const closed = take(TOKENS.close)?.[1];
    if (closed !== undefined) {
      if (within === root || within.name !== closed)
        return { ok: false, problem: `</${closed}> closes nothing` };
      open.pop();
      add(open.at(-1) ?? root, closed, valueOf(within));
      continue;
    }
    const opened = take(TOKENS.open);
    if (opened === undefined) return { ok: false, problem: `it cannot be read from ${near(document, at)}` };
    const [, name = '', attributes = '', empty] = opened;
    if (within === root && root.parts.size > 0)
      return { ok: false, problem: 'it has more than one outer element' };
    if (open.length > MAX_DEPTH) return { ok: false, problem: 'its elements are nested too deeply' };
    const element: Element = { name, parts: new Map(), text: '' };
    for (const [, attribute = '', double, single] of attributes.matchAll(ATTRIBUTE)) {
      const value = decode(double ?? single ?? '');
      if (value === undefined) return { ok: false, problem: 'a & is not escaped; use &amp;' };
      if (element.parts.has(`@${attribute}`))
        return { ok: false, problem: `<${name}> has ${attribute} twice` };
      add(element, `@${attribute}`, value);
    }
    if (empty === '/') add(within, name, valueOf(element));
    else open.push(element);
  }
  const unclosed = open.at(-1);
  if (unclosed !== undefined && unclosed !== root)
    return { ok: false, problem: `<${unclosed.name}> is not closed` };
  return root.parts.size === 0
    ? { ok: false, problem: 'it has no element' }
    : { ok: true, value: valueOf(root) };
}

function add(element: Element, name: string, value: unknown): void {
  const values = element.parts.get(name);
  if (values === undefined) element.parts.set(name, [value]);
  else values.push(value);
}

function valueOf({ parts, text }: Element): unknown {
  if (parts.size === 0) return text.trim() === '' ? '' : text;
  // Assignment to `__proto__` would mean something else.
  return Object.fromEntries([
    ...Array.from(parts, ([name, values]) => [name, values.length === 1 ? values[0] : values]),
    ...(text.trim() === '' ? [] : [['#text', text.trim()]]),
  ]);
}

/** Undefined for an unknown entity. */
function decode(text: string): string | undefined {
  if (text.replace(ENTITY, '').includes('&')) return undefined;
  return text.replace(ENTITY, (_, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? '';
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    const isCharacter = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : '';
  });
}

const near = (document: string, at: number) => `“${document.slice(at, at + 20).trim()}”`;

/** For text and attributes. */
export function escapeXml(value: string): string {
  return (
    value
      // oxlint-disable-next-line no-control-regex
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&apos;')
      // Readers normalise white space in attributes and carriage returns anywhere.
      .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
  );
}

/** In comments, instructions or CDATA, where values cannot be escaped. */
export function matchesRawParts(document: string, pattern: RegExp): boolean {
  return Array.from(document.matchAll(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[[\s\S]*?\]\]>/g)).some(
    ([part]) => part.search(pattern) >= 0,
  );
}
