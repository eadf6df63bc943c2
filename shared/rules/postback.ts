/** Addresses that a source is called back at; of a postback: `https://tracker.example/?cid={clickId}&status={status}`. */

/** What may stand in the address of a postback within braces. */
export const POSTBACK_MACROS = [
  'clickId',
  'status',
  'event',
  'eventId',
  'externalId',
  'leadId',
  'reason',
  'buyer',
  'sequence',
  'timestamp',
] as const;
export type PostbackValues = Readonly<Record<(typeof POSTBACK_MACROS)[number], string>>;

const MACRO = /\{([^{}]*)\}/g;
/** Without a user name, which would be stored readable. */
const SERVER =
  'https?:\\/\\/[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*(?::\\d{1,5})?';
export const CALLBACK_URL = new RegExp(`^${SERVER}(?:[/?][!-~]*)?$`);
/** The server that is called is the admin's choice, never that of who posted the lead: it has no macro. */
export const POSTBACK_URL = new RegExp(
  `^${SERVER}(?:[/?](?:[!-z|~]|\\{(?:${POSTBACK_MACROS.join('|')})\\})*)?$`,
);

const ADDRESS_EXPECTED = 'Enter an address that starts with https:// or http://';

/** What is wrong with an address, in one sentence; undefined: nothing. */
export const callbackUrlProblem = (address: string): string | undefined =>
  CALLBACK_URL.test(address) ? undefined : ADDRESS_EXPECTED;

/** The same of the address of a postback, with its macros. */
export function postbackProblem(template: string): string | undefined {
  if (POSTBACK_URL.test(template)) return undefined;
  const unknown = Array.from(template.matchAll(MACRO), ([, name = '']) => name).find(
    (name) => !isMacro(name),
  );
  if (unknown !== undefined)
    return `Unknown macro {${unknown}}. Available: ${POSTBACK_MACROS.map((name) => `{${name}}`).join(', ')}`;
  if (/[{}]/.test(template.replaceAll(MACRO, ''))) return 'A brace has no counterpart';
  const [server = ''] = /^[^:]*:\/\/[^/?#]*/.exec(template) ?? [];
  return server.includes('{') ? 'The host name cannot contain a macro' : ADDRESS_EXPECTED;
}

/** The address with its values. @param encode makes a value safe for an address */
export function fillPostback(
  template: string,
  values: PostbackValues,
  encode: (value: string) => string,
): string {
  return template.replaceAll(MACRO, (_, name: string) => (isMacro(name) ? encode(values[name]) : ''));
}

const isMacro = (name: string): name is keyof PostbackValues => POSTBACK_MACROS.some((one) => one === name);
