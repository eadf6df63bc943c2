/** The library is loaded when a passkey is used. */
import type { Answer, Sent } from '#shared/contract/schemas';

export type PasskeyRequested = Answer<'beginPasskeyLogin'>;
export type PasskeyShown = Sent<'passkeyLogin', 'body'>;

export class PasskeyError extends Error {
  override readonly name = 'PasskeyError';
}

const library = () => import('@simplewebauthn/browser');

/** Another request replaced this one. */
const isAbort = (error: unknown) => error instanceof Error && error.name === 'AbortError';

/** Passkeys belong to a host. @throws PasskeyError */
function requireHost(rpId: string): void {
  const { protocol, hostname, port } = window.location;
  if (hostname !== rpId && !hostname.endsWith(`.${rpId}`))
    throw new PasskeyError(
      `Passkeys belong to ${rpId}, but this page was opened as ${hostname}. Open it as ${protocol}//${rpId}${port === '' ? '' : `:${port}`}.`,
    );
  if (!('PublicKeyCredential' in window)) throw new PasskeyError('This browser does not support passkeys.');
}

export async function offersPasskeys(): Promise<boolean> {
  return 'PublicKeyCredential' in window && (await (await library()).browserSupportsWebAuthnAutofill());
}

/**
 * @param autofill offered in the username field, until another call asks @returns undefined if another call took over @throws
 * PasskeyError
 */
export async function showPasskey(
  { ticket, options }: PasskeyRequested,
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

export async function cancelPasskey(): Promise<void> {
  (await library()).WebAuthnAbortService.cancelCeremony();
}

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
