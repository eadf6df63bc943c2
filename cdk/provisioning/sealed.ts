/** JWE (RFC 7516) by RSA-OAEP-256 and AES-256-GCM. */
import { CompactEncrypt, compactDecrypt, importPKCS8, importSPKI } from 'jose';

const ALGORITHM = 'RSA-OAEP-256';

export async function seal(text: string, publicKey: string): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: ALGORITHM, enc: 'A256GCM' })
    .encrypt(await importSPKI(publicKey, ALGORITHM));
}

/** @param privateKey RSA, as PEM (PKCS #8) @throws Error for another key, or a changed text */
export async function unseal(sealed: string, privateKey: string): Promise<string> {
  const { plaintext } = await compactDecrypt(sealed, await importPKCS8(privateKey, ALGORITHM));
  return new TextDecoder().decode(plaintext);
}
