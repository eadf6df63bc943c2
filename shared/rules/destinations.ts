/**
 * A stored secret goes only where it went when it was entered. Otherwise anyone who may change its server could have it
 * sent to a server of their own.
 */

/** The error of a stored secret whose destination changes. */
export const SECRET_AGAIN_TEXT = 'Enter it again, because the destination has changed';

/** The fields of an e-mail template that say where its password is sent; the port also decides on TLS from the start. */
export const SMTP_PASSWORD_SENT_TO = ['smtp_host', 'smtp_port', 'smtp_user'] as const;

type Value = string | number | null;

/**
 * Whether a change gives a secret another destination. Without a value a field is no destination, so clearing it sends
 * nothing anywhere.
 * @param sentTo the fields that say where the secret is sent
 */
export function isSentElsewhere<Name extends string>(
  sentTo: readonly Name[],
  before: Readonly<Record<Name, Value>>,
  after: Readonly<Record<Name, Value>>,
): boolean {
  return sentTo.some((name) => {
    const [was, is] = [textOf(before[name]), textOf(after[name])];
    return is !== '' && is !== was;
  });
}

/** The part of an address that says which server is called, with its protocol and port. */
export const serverOf = (address: string): string =>
  /^[a-z]+:\/\/[^/?#]*/i.exec(address.trim())?.[0].toLowerCase() ?? address.trim();

/** A form has texts where stored data have numbers and null. */
const textOf = (value: Value) => String(value ?? '').trim();
