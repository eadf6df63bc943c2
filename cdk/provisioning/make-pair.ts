/** Makes a key pair for CloudFront's signed cookies: the private key goes into its secret, the public one back. */
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import * as z from 'zod/mini';
import {
  type CustomResourceAnswer,
  type CustomResourceEvent,
  isPlaceholder,
  type SecretStore,
} from '#cdk/provisioning/custom-resource';

const properties = z.object({ secretArn: z.string().check(z.minLength(1)) });

/** Of 2048 bits for CloudFront:
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-trusted-signers.html */
const RSA_BITS = 2048;

/**
 * Can be repeated: a secret that contains a key keeps it.
 * @throws Error when the secret contains something that is neither a key nor the placeholder
 */
export async function makePair(
  event: CustomResourceEvent,
  secrets: SecretStore,
): Promise<CustomResourceAnswer> {
  const { secretArn } = properties.parse(event.ResourceProperties);
  // The secret is a resource of its own, which CloudFormation deletes.
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
    throw new Error('The secret holds no private key; restore a former version of it and deploy again');
  }
}
