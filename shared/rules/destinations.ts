/** A stored secret goes only to the server that it was entered for. Otherwise anyone who may change the server could steal it. */

export const SECRET_AGAIN_TEXT = 'Enter it again, because the destination has changed';

/** The port also decides on implicit TLS. */
export const SMTP_PASSWORD_SENT_TO = ['smtp_host', 'smtp_port', 'smtp_user'] as const;

type Value = string | number | null;

/** An empty field is no destination, so clearing it sends nothing anywhere. */
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

/** Protocol, host and port. */
export const serverOf = (address: string): string =>
  /^[a-z]+:\/\/[^/?#]*/i.exec(address.trim())?.[0].toLowerCase() ?? address.trim();

/** Forms have texts where stored data have numbers and null. */
const textOf = (value: Value) => String(value ?? '').trim();
