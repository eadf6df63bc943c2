/** Makes the key pair of CloudFront's signed cookies. */
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import * as z from 'zod/mini';
import {
  type CustomResourceAnswer,
  type CustomResourceEvent,
  isPlaceholder,
  type SecretStore,
} from '#cdk/provisioning/custom-resource';

const properties = z.object({ secretArn: z.string().check(z.minLength(1)) });

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-trusted-signers.html */
const RSA_BITS = 2048;

/** Repeating it keeps the key. @throws Error for a secret with other content */
export async function makePair(
  event: CustomResourceEvent,
  secrets: SecretStore,
): Promise<CustomResourceAnswer> {
  const { secretArn } = properties.parse(event.ResourceProperties);
  // CloudFormation deletes the secret itself.
  if (event.RequestType === 'Delete') return { PhysicalResourceId: event.PhysicalResourceId ?? secretArn };

  let privateKey = await secrets.read(secretArn);
  if (isPlaceholder(privateKey)) {
    privateKey = generateKeyPairSync('rsa', {
      modulusLength: RSA_BITS,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    }).privateKey;
    await secrets.write(secretArn, privateKey);
  }
  return { PhysicalResourceId: secretArn, Data: { publicKey: publicHalf(privateKey) } };
}

function publicHalf(privateKey: string): string {
  try {
    const key = createPrivateKey(privateKey);
    return createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
  } catch {
    // The cause would quote the secret.
    throw new Error('The secret holds no private key; restore an earlier version of it and deploy again');
  }
}
