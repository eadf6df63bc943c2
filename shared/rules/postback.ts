/** Callback addresses of sources; a postback: `https://tracker.example/?cid={clickId}&status={status}`. */
import { INVALID } from '#shared/rules/invalid-texts';

export const POSTBACK_MACROS = [
  'clickId',
  'status',
  'event',
  'eventId',
  'externalId',
  'leadId',
  'reason',
  'buyer',
  'amount',
  'currency',
  'sequence',
  'timestamp',
] as const;
export type PostbackValues = Readonly<Record<(typeof POSTBACK_MACROS)[number], string>>;

const MACRO = /\{([^{}]*)\}/g;
/** Without a user name, which would be stored in plain text. */
const SERVER =
  'https?:\\/\\/[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*(?::\\d{1,5})?';
export const CALLBACK_URL = new RegExp(`^${SERVER}(?:[/?][!-~]*)?$`);
/** No macros in the host name: the admin chooses the server, not the poster of a lead. */
export const POSTBACK_URL = new RegExp(
  `^${SERVER}(?:[/?](?:[!-z|~]|\\{(?:${POSTBACK_MACROS.join('|')})\\})*)?$`,
);

const ADDRESS_EXPECTED = 'Enter an address that starts with https:// or http://';

export const callbackUrlProblem = (address: string): string | undefined =>
  CALLBACK_URL.test(address) ? undefined : ADDRESS_EXPECTED;

export function postbackProblem(template: string): string | undefined {
  if (POSTBACK_URL.test(template)) return undefined;
  const unknown = Array.from(template.matchAll(MACRO), ([, name = '']) => name).find(
    (name) => !isMacro(name),
  );
  if (unknown !== undefined)
    return `Unknown macro {${unknown}}. Available: ${POSTBACK_MACROS.map((name) => `{${name}}`).join(', ')}`;
  if (/[{}]/.test(template.replaceAll(MACRO, ''))) return 'A brace has no counterpart';
  const [server = ''] = /^[^:]*:\/\/[^/?#]*/.exec(template) ?? [];
  return server.includes('{') ? INVALID.hostMacro : ADDRESS_EXPECTED;
}

/** @param encode makes values safe for an address */
export function fillPostback(
  template: string,
  values: PostbackValues,
  encode: (value: string) => string,
): string {
  return template.replaceAll(MACRO, (_, name: string) => (isMacro(name) ? encode(values[name]) : ''));
}

const isMacro = (name: string): name is keyof PostbackValues => POSTBACK_MACROS.some((one) => one === name);
