/** Passkeys in the browser; the library for them is loaded when one is used. */
import type { Answer, Sent } from '#shared/contract/schemas';

export type PasskeyAsked = Answer<'beginPasskeyLogin'>;
export type PasskeyShown = Sent<'passkeyLogin', 'body'>;

/** A passkey that was not used or made. `message` is the text to show. */
export class PasskeyError extends Error {
  override readonly name = 'PasskeyError';
}

const library = () => import('@simplewebauthn/browser');

/** Nobody chose a passkey before it was asked for in another way. */
const isAbort = (error: unknown) => error instanceof Error && error.name === 'AbortError';

/**
 * Passkeys belong to a host: another name of the same machine has none.
 * @throws PasskeyError on another one, and where the browser knows no passkeys
 */
function requireHost(rpId: string): void {
  const { protocol, hostname, port } = window.location;
  if (hostname !== rpId && !hostname.endsWith(`.${rpId}`))
    throw new PasskeyError(
      `Passkeys belong to ${rpId}, but this page was opened as ${hostname}. Open it as ${protocol}//${rpId}${port === '' ? '' : `:${port}`}.`,
    );
  if (!('PublicKeyCredential' in window)) throw new PasskeyError('This browser does not support passkeys.');
}

/** Whether the browser offers passkeys among the names that it fills in. */
export async function offersPasskeys(): Promise<boolean> {
  return 'PublicKeyCredential' in window && (await (await library()).browserSupportsWebAuthnAutofill());
}

/**
 * Asks for a passkey.
 * @param autofill offered in the field for the name, until another call asks; else at once
 * @returns what the server checks; undefined where another call took its place
 * @throws PasskeyError
 */
export async function showPasskey(
  { ticket, options }: PasskeyAsked,
  autofill = false,
): Promise<PasskeyShown | undefined> {
  requireHost(options.rpId);
  const { startAuthentication } = await library();
  try {
    return {
      ticket,
      response: await startAuthentication({ optionsJSON: options, useBrowserAutofill: autofill }),
    };
  } catch (error) {
    if (isAbort(error)) return undefined;
    throw new PasskeyError('No passkey was used. Try again.');
  }
}

/** Takes back what waits for a choice. */
export async function cancelPasskey(): Promise<void> {
  (await library()).WebAuthnAbortService.cancelCeremony();
}

/** Makes a passkey. @throws PasskeyError */
export async function makePasskey({
  ticket,
  options,
}: Answer<'beginPasskey'>): Promise<Omit<Sent<'addPasskey', 'body'>, 'name'>> {
  requireHost(options.rp.id);
  const { startRegistration } = await library();
  try {
    return { ticket, response: await startRegistration({ optionsJSON: options }) };
  } catch (error) {
    throw new PasskeyError(
      error instanceof Error && error.name === 'InvalidStateError'
        ? 'This device already has a passkey for your account.'
        : 'No passkey was created. Try again.',
    );
  }
}
