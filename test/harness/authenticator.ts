/** A passkey in software: creates and uses one key like a browser's authenticator (https://www.w3.org/TR/webauthn-3/). */
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { Answer, Sent } from '#shared/contract/schemas';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const encoded = (data: Buffer) => data.toString('base64url');
const number = (value: number, bytes: number) => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_KEY = 0x40;

/** Changes to a correct answer. */
interface Flaws {
  readonly origin?: string;
  readonly rpId?: string;
  readonly unverified?: boolean;
  /** Undefined: none. */
  readonly userHandle?: string | undefined;
}

export class Authenticator {
  readonly #origin: string;
  readonly #id = randomBytes(16);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  /** The account that it was created for. */
  userHandle = 'AAAA';
  /** The reported signature counter. */
  counter = 0;

  /** @param origin of the site, with its port */
  constructor(origin: string) {
    this.#origin = origin;
  }

  make({ ticket, options }: Answer<'beginPasskey'>, flaws: Flaws = {}): Sent<'addPasskey', 'body'> {
    this.userHandle = options.user.id;
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    // CBOR: {1: 2, 3: -7, -1: 1, -2: x, -3: y}
    const key = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
    const data = Buffer.concat([
      this.#data(flaws.rpId ?? options.rp.id, HAS_KEY, flaws),
      Buffer.alloc(16),
      number(this.#id.length, 2),
      this.#id,
      key,
    ]);
    // CBOR: {fmt: 'none', attStmt: {}, authData: data}
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
      number(data.length, 1),
      data,
    ]);
    return {
      ticket,
      name: 'Laptop',
      response: {
        id: encoded(this.#id),
        rawId: encoded(this.#id),
        type: 'public-key',
        response: {
          clientDataJSON: encoded(this.#clientData('webauthn.create', options.challenge, flaws)),
          attestationObject: encoded(attestation),
          transports: ['internal'],
        },
      },
    };
  }

  show({ ticket, options }: Answer<'beginPasskeyLogin'>, flaws: Flaws = {}): Sent<'passkeyLogin', 'body'> {
    const data = this.#data(flaws.rpId ?? options.rpId, 0, flaws);
    const clientData = this.#clientData('webauthn.get', options.challenge, flaws);
    const { userHandle } = { userHandle: this.userHandle, ...flaws };
    const signature = createSign('sha256')
      .update(Buffer.concat([data, sha256(clientData)]))
      .sign(this.#keys.privateKey);
    return {
      ticket,
      response: {
        id: encoded(this.#id),
        rawId: encoded(this.#id),
        type: 'public-key',
        response: {
          clientDataJSON: encoded(clientData),
          authenticatorData: encoded(data),
          signature: encoded(signature),
          ...(userHandle !== undefined && { userHandle }),
        },
      },
    };
  }

  #data(rpId: string, flags: number, { unverified = false }: Flaws): Buffer {
    const all = flags | USER_PRESENT | (unverified ? 0 : USER_VERIFIED);
    return Buffer.concat([sha256(rpId), number(all, 1), number(this.counter, 4)]);
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: Flaws): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }
}
