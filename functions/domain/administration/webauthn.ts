import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import type { Passkey } from '#functions/data/administration/admin';
import type {
  PasskeyAssertion,
  PasskeyRegistration,
  PasskeySite,
} from '#functions/domain/administration/passkeys';

type NewPasskey = Pick<Passkey, 'id' | 'public_key' | 'counter' | 'transports'>;

export async function verifiedRegistration(
  { origin, rpId }: PasskeySite,
  challenge: string,
  response: PasskeyRegistration,
): Promise<NewPasskey | undefined> {
  const { transports = [], ...parts } = response.response;
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...response, response: { ...parts, transports }, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
  });
  if (registrationInfo === undefined) return undefined;
  const { id, publicKey, counter } = registrationInfo.credential;
  return {
    id,
    public_key: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports,
  };
}

/** @throws Error also if the counter decreased, which indicates a copied passkey; synchronised passkeys stay at 0 */
export async function verifiedAssertion(
  { origin, rpId }: PasskeySite,
  challenge: string,
  passkey: Passkey,
  response: PasskeyAssertion,
): Promise<number | undefined> {
  const { userHandle, ...parts } = response.response;
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      ...response,
      response: { ...parts, ...(userHandle !== undefined && { userHandle }) },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: passkey.counter,
    },
    requireUserVerification: true,
  });
  return verified ? authenticationInfo.newCounter : undefined;
}
