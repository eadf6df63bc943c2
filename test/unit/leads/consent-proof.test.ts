import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as consentStore from '#functions/data/leads/consent';
import type { Key } from '#functions/data/table/keys';
import type { Query, Table } from '#functions/data/table/table';
import { createProver } from '#functions/domain/leads/consent-proof';
import { type ConsentProof, linksBetween, verifyConsentProof } from '#shared/rules/consent-proof';
import { memoryTable } from '#test/harness/memory-table';
import {
  aSealedChain,
  isSigned,
  proofOf,
  SELLER,
  signer,
  WORDING,
  withOneByteChanged,
} from '#test/harness/proofs';

const MINUTE_MS = 60_000;
const textOf = (proof: unknown) => Buffer.from(`${JSON.stringify(proof, null, 2)}\n`);

/** A consent in link 2 of 9, of which 7 is a checkpoint. */
async function aProof() {
  const chain = aSealedChain(memoryTable());
  const own: consentStore.ConsentItem[] = [];
  let published = { checkpoints: [{ link: 0, hash: '' }], keys: [signer.key] } as Awaited<
    ReturnType<typeof chain.checkpoint>
  >;
  for (let link = 1; link <= 9; link += 1) {
    for (const number of [1, 2, 3, 4, 5]) own.push(await chain.consent(`lead-${link}-${number}`));
    await chain.seal();
    if (link === 7) published = await chain.checkpoint();
    chain.pass(5 * MINUTE_MS);
  }
  const item = own[8]!;
  return { chain, item, others: own, published, bytes: await chain.prove(item) };
}

/** Signed again by another key, unless the change is of the signature itself. */
function resigned(proof: ConsentProof): Buffer {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const point = Buffer.concat([
    Buffer.of(4),
    Buffer.from(String(x), 'base64url'),
    Buffer.from(String(y), 'base64url'),
  ]);
  const signature = { alg: 'ES256' as const, key: point.toString('base64url') };
  const text = JSON.stringify({ ...proof, signature });
  const value = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return textOf({ ...proof, signature: { ...signature, value: value.toString('base64url') } });
}

describe('the proof of a consent', () => {
  it('shows what was recorded, and leads to the first checkpoint after it', async () => {
    const { bytes, item, published } = await aProof();
    const proof = proofOf(bytes);
    expect(proof).toMatchObject({
      format: 'consent-proof/1',
      seller: SELLER,
      lead: { number: '12-7' },
      recorded_at: item.recorded_at,
      person: JSON.parse(String(item.person)),
      consent: JSON.parse(String(item.consent)),
      wording: WORDING,
    });
    expect(proof.seal?.headers.map(({ link }) => link)).toEqual([7, 6, 4, 3, 2]);
    expect(await verifyConsentProof(bytes, published)).toMatchObject({
      ok: true,
      level: 'anchored',
      isKeyPublished: true,
      head: 7,
    });
    expect(await verifyConsentProof(bytes)).toMatchObject({
      ok: true,
      level: 'sealed',
      isKeyPublished: false,
    });
  });

  it('is signed with the published key', async () => {
    const { bytes } = await aProof();
    const proof = proofOf(bytes);
    expect(proof.signature.key).toBe(signer.key);
    expect(isSigned(proof)).toBe(true);
    expect(isSigned({ ...proof, wording: `${WORDING} ` })).toBe(false);
  });

  it('contains nothing of the other entries', async () => {
    const { bytes, item, others } = await aProof();
    for (const { lead_id, person } of others)
      if (lead_id !== item.lead_id) {
        expect(Buffer.from(bytes).toString()).not.toContain(lead_id);
        expect(Buffer.from(bytes).toString()).not.toContain(String(person));
      }
  });

  it('is refused with one byte changed, anywhere', async () => {
    const { bytes, published } = await aProof();
    for (const changed of withOneByteChanged(bytes))
      expect((await verifyConsentProof(changed, published)).ok).toBe(false);
  });

  it.each([
    ['another seller', (proof) => ({ ...proof, seller: { ...SELLER, name: 'X' } })],
    [
      'a withdrawal',
      ({ signature, ...proof }) => ({ ...proof, withdrawn_at: '2026-02-01T00:00:00.000Z', signature }),
    ],
    ['another number', (proof) => ({ ...proof, lead: { number: '1' } })],
  ] satisfies [string, (proof: ConsentProof) => ConsentProof][])('is refused with %s', async (_, change) => {
    const { bytes, published } = await aProof();
    const changed = change(proofOf(bytes));
    expect(await verifyConsentProof(textOf(changed))).toEqual({ ok: false, what: 'signature' });
    expect(await verifyConsentProof(resigned(changed), published)).toEqual({
      ok: false,
      what: 'foreign_key',
    });
  });

  it.each([
    ['person', (proof) => ({ ...proof, person: { ...proof.person, vorname: 'Eve' } }), 'seal'],
    ['record', (proof) => ({ ...proof, consent: { ...proof.consent, method: 'other' } }), 'seal'],
    ['time', (proof) => ({ ...proof, recorded_at: '2026-01-01T00:00:00.001Z' }), 'seal'],
    ['wording', (proof) => ({ ...proof, wording: `${WORDING}!` }), 'wording'],
    ['path', (proof) => ({ ...proof, seal: { ...proof.seal!, path: proof.seal!.path.slice(1) } }), 'seal'],
    [
      'headers',
      (proof) => ({ ...proof, seal: { ...proof.seal!, headers: proof.seal!.headers.toSpliced(1, 1) } }),
      'seal',
    ],
    ['end of the headers', (proof) => ({ ...proof, seal: { ...proof.seal!, headers: [] } }), 'seal'],
  ] satisfies [string, (proof: ConsentProof) => ConsentProof, string][])(
    'is refused with another %s, even if it is signed again',
    async (_, change, what) => {
      const { bytes } = await aProof();
      expect(await verifyConsentProof(resigned(change(proofOf(bytes))))).toEqual({ ok: false, what });
    },
  );

  it('is refused if the seller publishes another chain or another key', async () => {
    const { bytes, published } = await aProof();
    const checkpoints = [{ link: 6, hash: 'A'.repeat(43) }];
    expect(await verifyConsentProof(bytes, { ...published, checkpoints })).toEqual({
      ok: false,
      what: 'foreign_chain',
    });
    expect(await verifyConsentProof(bytes, { ...published, keys: ['A'] })).toEqual({
      ok: false,
      what: 'foreign_key',
    });
  });

  it.each([
    ['', 'not_a_proof'],
    ['{}', 'not_a_proof'],
    ['null', 'not_a_proof'],
    ['{"format":"consent-proof/2"}', 'not_a_proof'],
    ['\u0000\u0001', 'not_a_proof'],
  ])('is no other file: %j', async (text, what) => {
    expect(await verifyConsentProof(Buffer.from(text))).toEqual({ ok: false, what });
  });

  it('is refused, not a crash, with a path or a depth that it cannot have', async () => {
    const { bytes, published } = await aProof();
    const proof = proofOf(bytes);
    const path = [{ left: null, right: 'AAAA' }] as never;
    const pathless = resigned({ ...proof, seal: { ...proof.seal!, path } });
    const depth = 100_000;
    const deep = Buffer.from(bytes)
      .toString()
      .replace('"person": {', `$&"a": ${'['.repeat(depth)}${']'.repeat(depth)},`);
    for (const forged of [pathless, Buffer.from(deep)])
      expect(await verifyConsentProof(forged, published)).toEqual({ ok: false, what: 'not_a_proof' });
  });

  it('has one form only', async () => {
    const { bytes } = await aProof();
    const text = Buffer.from(bytes).toString();
    for (const other of [
      text.trimEnd(),
      `\uFEFF${text}`,
      JSON.stringify(proofOf(bytes)),
      text.replace('{', '{ '),
      text.replace('"lead": {', '"lead": {},\n  "lead": {'),
      text.replace('ü', '\\u00fc'),
    ])
      expect(await verifyConsentProof(Buffer.from(other))).toEqual({ ok: false, what: 'changed' });
  });

  it('is only signed until the consent is sealed, then sealed without a checkpoint', async () => {
    const chain = aSealedChain(memoryTable());
    const first = await chain.consent('a');
    const published = { checkpoints: [], keys: [signer.key] };
    const early = await chain.prove(first);
    expect(proofOf(early).seal).toBeNull();
    expect(await verifyConsentProof(early, published)).toMatchObject({ ok: true, level: 'signed' });
    await chain.seal();
    expect(await verifyConsentProof(await chain.prove(first), published)).toMatchObject({
      ok: true,
      level: 'sealed',
      head: 1,
    });
    const second = await chain.consent('b');
    expect(proofOf(await chain.prove(second)).seal).toBeNull();
  });

  it('is found in a later link when the entry was written late', async () => {
    const chain = aSealedChain(memoryTable());
    const late = await chain.consent('late');
    await chain.context.table.delete({ delete: { pk: 'LEAD#late', sk: 'CONSENT' } });
    for (const lead of ['a', 'b', 'c']) {
      await chain.consent(lead);
      await chain.seal();
    }
    await chain.context.table.put(consentStore.consentPut(late));
    await chain.seal();
    expect(proofOf(await chain.prove(late)).seal?.headers[0]?.link).toBe(4);
  });

  it('does not exist for an erased consent', async () => {
    const { chain, item } = await aProof();
    await consentStore.erase(chain.context, { lead_id: item.lead_id, received_at: item.recorded_at });
    const erased = await consentStore.get(chain.context, item.lead_id);
    expect((await chain.prove(erased!)).length).toBe(0);
  });

  it('reads each link once for many proofs', async () => {
    const { chain, others } = await aProof();
    const read: string[] = [];
    const { table } = chain.context;
    const counted = {
      query: (query: Query) => table.query(query),
      get: (key: Key, options?: object) => {
        read.push(key.sk);
        return table.get(key, options);
      },
    } as unknown as Table;
    const prover = createProver({ ...chain.context, table: counted });
    for (const item of others) await chain.prove(item, prover);
    const links = read.filter((sk) => /^\d+$/.test(sk));
    expect(new Set(links).size).toBe(links.length);
    expect(links.length).toBeLessThanOrEqual(10);
  });
});

it('the way from a link to an older one is short', () => {
  for (const [head, link] of [
    [1_440_000, 1],
    [1_048_575, 524_289],
    [999_999, 998_561],
  ] as const) {
    const way = linksBetween(head, link);
    expect([way[0], way.at(-1)]).toEqual([head, link]);
    expect(way.length).toBeLessThanOrEqual(Math.ceil(Math.log2(head)) ** 2 / 2);
  }
});
