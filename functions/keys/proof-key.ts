/** The key that signs proofs of consent: ECDSA on P-256, whose public half is published. */
import { createECDH, createPrivateKey, sign } from 'node:crypto';

export interface ProofSigner {
  /** The public key: an uncompressed point, base64url. */
  readonly key: string;
  /** @returns ES256, base64url */
  sign(text: string): string;
}

const ORDER = 0xffffffff_00000000_ffffffff_ffffffff_bce6faad_a7179e84_f3b9cac2_fc632551n;
const COORDINATE_BYTES = 32;

/** @param seed secret; eight bytes longer than the key, so that every key is about equally likely (FIPS 186-5) */
export function createProofSigner(seed: Uint8Array): ProofSigner {
  const scalar = (BigInt(`0x${Buffer.from(seed).toString('hex')}`) % (ORDER - 1n)) + 1n;
  const secret = Buffer.from(scalar.toString(16).padStart(2 * COORDINATE_BYTES, '0'), 'hex');
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(secret);
  const point = pair.getPublicKey();
  const coordinate = (start: number) => point.subarray(start, start + COORDINATE_BYTES).toString('base64url');
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      d: secret.toString('base64url'),
      x: coordinate(1),
      y: coordinate(1 + COORDINATE_BYTES),
    },
  });
  return {
    key: point.toString('base64url'),
    sign: (text) =>
      sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
  };
}
