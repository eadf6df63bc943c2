/**
 * The proof of a consent: a file that anyone can check without the product. Its JSON has exactly one form, so that every changed
 * byte shows. The signature covers all of it; the seal leads from the consent to a checkpoint of the audit chain.
 */

export const PROOF_FORMAT = 'consent-proof/1';

/** A step from a leaf towards the root of its Merkle tree: the hash of the other node. */
export type PathStep = { readonly left: string } | { readonly right: string };

/** What the hash of a link of the audit chain covers, in this order. */
export interface ProofHeader {
  readonly link: number;
  readonly previous: string;
  readonly skip: string;
  readonly sealed_at: string;
  /** Entries before this time are included. */
  readonly up_to: string;
  readonly root: string;
}

export interface ProofSeal {
  readonly lead_id: string;
  readonly seed: string;
  readonly path: readonly PathStep[];
  /** From a checkpoint, or else the consent's link itself, down to the consent's link. */
  readonly headers: readonly ProofHeader[];
}

export interface ConsentProof {
  readonly format: typeof PROOF_FORMAT;
  /** Absent without company details. */
  readonly seller?: Readonly<Record<string, string>>;
  /** As the buyer knows it. */
  readonly lead: { readonly number: string };
  readonly recorded_at: string;
  readonly withdrawn_at?: string;
  readonly person: Readonly<Record<string, unknown>>;
  /** `text` is the SHA-256 of the wording. */
  readonly consent: Readonly<Record<string, unknown>>;
  readonly wording: string;
  /** Null in the minutes before the consent is sealed. */
  readonly seal: ProofSeal | null;
  /** `key`: the public key, uncompressed; the signature covers the compact JSON of everything but `value`. */
  readonly signature: { readonly alg: 'ES256'; readonly key: string; readonly value: string };
}

/** What the seller published. `keys` may be unknown. */
export interface Published {
  readonly checkpoints: readonly { readonly link: number; readonly hash: string }[];
  readonly keys: readonly string[];
}

/** From lines of checkpoints, such as in kept e-mails, or the text of the public call's answer. */
export const publishedIn = (text: string): Published => ({
  checkpoints: Array.from(
    text.matchAll(/(?:audit checkpoint |"link":\s*)(\d+)(?: |,\s*"hash":\s*")([\w-]{43})/g),
    ([, link, hash = '']) => ({ link: Number(link), hash }),
  ),
  keys: Array.from(text.matchAll(/(?: key |")([\w-]{87})(?![\w-])/g), ([, key = '']) => key),
});

/** `anchored`: covered by a published checkpoint. */
export type ProofLevel = 'anchored' | 'sealed' | 'signed';

export type ProofFault =
  | 'not_a_proof'
  | 'changed'
  | 'signature'
  | 'wording'
  | 'seal'
  | 'foreign_key'
  | 'foreign_chain';

export type CheckedProof =
  | {
      readonly ok: true;
      readonly level: ProofLevel;
      readonly proof: ConsentProof;
      /** Undefined unless the consent is sealed. */
      readonly sealedAt: string | undefined;
      /** Number of its newest link, which a checkpoint may cover. */
      readonly head: number | undefined;
      readonly isKeyPublished: boolean;
    }
  | { readonly ok: false; readonly what: ProofFault };

/**
 * A link of the audit chain names the one before it and this older one, 0 for none. So the way from a link to any older one takes
 * a number of links that grows only with the square of the logarithm.
 */
export const skippedTo = (link: number): number => link - (link & -link);

/** The numbers of the links on the way, both included. */
export function linksBetween(head: number, link: number): number[] {
  const numbers = [head];
  for (let at = head; at > link; numbers.push(at)) at = skippedTo(at) >= link ? skippedTo(at) : at - 1;
  return numbers;
}

export const proofBytes = (proof: unknown): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(`${JSON.stringify(proof, null, 2)}\n`);

export function signedText({ signature: { alg, key }, ...proof }: ConsentProof): string {
  return JSON.stringify({ ...proof, signature: { alg, key } });
}

class Refusal extends Error {
  constructor(readonly what: ProofFault) {
    super(what);
  }
}

/** Without `published`, only the file itself is checked. */
export async function verifyConsentProof(bytes: Uint8Array, published?: Published): Promise<CheckedProof> {
  try {
    return await check(bytes, published);
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, what: error.what };
    throw error;
  }
}

async function check(bytes: Uint8Array, published: Published | undefined): Promise<CheckedProof> {
  const proof = parsed(bytes);
  if (!isProof(proof)) throw new Refusal('not_a_proof');
  const canonical = canonicalOf(proof);
  require(bytes.length === canonical.length && bytes.every((byte, at) => byte === canonical[at]), 'changed');
  const { signature, seal, consent, wording } = proof;
  require(await isSigned(proof), 'signature');
  require((await hashOf(wording)) === consent.text, 'wording');
  const hashes = seal === null ? [] : await Promise.all(seal.headers.map(headerHash));
  if (seal !== null) require(await isSealed(proof, seal, hashes), 'seal');
  const isKeyPublished = published?.keys.includes(signature.key) === true;
  require(isKeyPublished || (published?.keys ?? []).length === 0, 'foreign_key');
  let level: ProofLevel = seal === null ? 'signed' : 'sealed';
  seal?.headers.forEach(({ link }, at) => {
    const checkpoint = published?.checkpoints.find((one) => one.link === link);
    require(checkpoint === undefined || checkpoint.hash === hashes[at], 'foreign_chain');
    if (checkpoint !== undefined) level = 'anchored';
  });
  const [head, last] = [seal?.headers[0], seal?.headers.at(-1)];
  return { ok: true, level, proof, sealedAt: last?.sealed_at, head: head?.link, isKeyPublished };
}

function require(holds: boolean, what: ProofFault): void {
  if (!holds) throw new Refusal(what);
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Refusal('not_a_proof');
  }
}

/** JSON is read at any depth, but not written. */
function canonicalOf(proof: ConsentProof): Uint8Array {
  try {
    return proofBytes(proof);
  } catch {
    throw new Refusal('not_a_proof');
  }
}

async function isSigned(proof: ConsentProof): Promise<boolean> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const [point, value] = [fromBase64(proof.signature.key), fromBase64(proof.signature.value)];
  if (point === undefined || value === undefined) return false;
  try {
    const key = await crypto.subtle.importKey('raw', point, algorithm, false, ['verify']);
    return await crypto.subtle.verify(algorithm, key, value, encoded(signedText(proof)));
  } catch {
    return false;
  }
}

/** The commitment is in a leaf, the leaf under the root of the last header, and each header's hash in the one before it. */
async function isSealed(
  { person, consent, recorded_at }: ConsentProof,
  { lead_id, seed, path, headers }: ProofSeal,
  hashes: readonly string[],
): Promise<boolean> {
  const commitment = await hashOf(JSON.stringify([seed, JSON.stringify(person), JSON.stringify(consent)]));
  const leaf = await hashOf(JSON.stringify(['consent', lead_id, recorded_at, commitment]));
  let node = await sha256(Uint8Array.of(0), encoded(JSON.stringify([`LEAD#${lead_id}`, 'CONSENT', leaf])));
  for (const step of path) {
    const other = fromBase64('left' in step ? step.left : step.right);
    if (other === undefined) return false;
    node = await sha256(Uint8Array.of(1), ...('left' in step ? [other, node] : [node, other]));
  }
  return (
    toBase64(node) === headers.at(-1)?.root &&
    headers.every(({ link }, at) => {
      const above = headers[at - 1];
      if (above === undefined) return true;
      if (link === above.link - 1) return above.previous === hashes[at];
      return link === skippedTo(above.link) && above.skip === hashes[at];
    })
  );
}

const headerHash = ({ link, previous, skip, sealed_at, up_to, root }: ProofHeader) =>
  hashOf(JSON.stringify([link, previous, skip, sealed_at, up_to, root]));

const encoded = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

async function sha256(...parts: readonly Uint8Array[]): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = Uint8Array.from(parts.flatMap((part) => [...part]));
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

export const hashOf = async (text: string): Promise<string> => toBase64(await sha256(encoded(text)));

const toBase64 = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** Undefined for a text that is not exactly the base64url of its bytes. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return toBase64(bytes) === text ? bytes : undefined;
}

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const areTexts = (of: Fields, names: readonly string[]) =>
  names.every((name) => typeof of[name] === 'string');

function isProof(value: unknown): value is ConsentProof {
  return (
    isObject(value) &&
    value.format === PROOF_FORMAT &&
    areTexts(value, ['recorded_at', 'wording']) &&
    [value.withdrawn_at ?? ''].every((at) => typeof at === 'string') &&
    (value.seller === undefined ||
      (isObject(value.seller) && areTexts(value.seller, Object.keys(value.seller)))) &&
    isObject(value.lead) &&
    areTexts(value.lead, ['number']) &&
    isObject(value.person) &&
    isObject(value.consent) &&
    (value.seal === null || isSeal(value.seal)) &&
    isObject(value.signature) &&
    value.signature.alg === 'ES256' &&
    areTexts(value.signature, ['key', 'value'])
  );
}

function isSeal(value: unknown): value is ProofSeal {
  return (
    isObject(value) &&
    areTexts(value, ['lead_id', 'seed']) &&
    Array.isArray(value.path) &&
    value.path.every((step) => isObject(step) && areTexts(step, ['left' in step ? 'left' : 'right'])) &&
    Array.isArray(value.headers) &&
    value.headers.every(
      (header) =>
        isObject(header) &&
        Number.isInteger(header.link) &&
        areTexts(header, ['previous', 'skip', 'sealed_at', 'up_to', 'root']),
    )
  );
}
