/** A chain with sealed consents, and their proofs. */
import { createHash, createPublicKey, verify } from 'node:crypto';
import * as auditChainStore from '#functions/data/administration/audit-chain-store';
import * as consentStore from '#functions/data/leads/consent';
import * as consentTextStore from '#functions/data/leads/consent-text-store';
import type { Table } from '#functions/data/table/table';
import { sealAudit } from '#functions/domain/administration/audit-chain';
import { createProver } from '#functions/domain/leads/consent-proof';
import { createProofSigner } from '#functions/keys/proof-key';
import { createLogger } from '#functions/platform/logger';
import { systemRuntime } from '#functions/platform/runtime';
import type { ConsentProof, Published } from '#shared/rules/consent-proof';

export const WORDING = 'Ich möchte zu Geldanlagen angerufen werden. „Ja“ – 100 % freiwillig.';
export const SELLER = { name: 'Müller Leads GmbH', address: 'Hauptstraße 1, 10115 Berlin' };
export const signer = createProofSigner(Buffer.alloc(40, 7));

export function aSealedChain(table: Table) {
  let ms = Date.UTC(2026, 0, 1);
  const runtime = { ...systemRuntime, now: () => new Date(ms), log: createLogger(() => {}) };
  const context = { table, runtime, proofSigner: async () => signer };
  const hash = createHash('sha256').update(WORDING).digest('base64url');
  return {
    context,
    pass: (by: number) => {
      ms += by;
    },
    async consent(lead_id: string, changes: object = {}): Promise<consentStore.ConsentItem> {
      const item = {
        lead_id,
        recorded_at: runtime.now().toISOString(),
        person: JSON.stringify({
          vorname: 'Jürgen',
          nachname: "O'Brien-Müller 😀",
          email: `${lead_id}@example.org`,
          telefon: '+4917012345678',
        }),
        consent: JSON.stringify({
          given_at: '2025-12-31T23:59:58.000Z',
          method: 'form',
          channels: ['phone', 'email'],
          text: hash,
          page_url: 'https://example.org/geld?a=1&b="2"',
          ip: '192.0.2.7',
          ...changes,
        }),
        seed: createHash('sha256').update(lead_id).digest('base64url').slice(0, 22),
      };
      await table.put(consentStore.consentPut(item));
      await consentTextStore.keep({ table }, hash, WORDING, item.recorded_at);
      return item;
    },
    async seal(): Promise<number> {
      ms += 120_001;
      return sealAudit({ table, runtime });
    },
    /** As sent: @returns what the seller then publishes */
    async checkpoint(): Promise<Published> {
      const [newest] = await auditChainStore.newest({ table }, ({ up_to }) => up_to);
      await auditChainStore.checkpointSent(context, 'file', newest!, {
        at: runtime.now().toISOString(),
        key: signer.key,
      });
      return { checkpoints: [newest!], keys: [signer.key] };
    },
    async prove(item: consentStore.ConsentItem, prover = createProver(context)) {
      const proven = { item, number: '12-7', seller: SELLER, withdrawn_at: undefined };
      return (await prover(proven)) ?? Buffer.of();
    },
  };
}

/** Whether the signature fits, by Node alone. */
export function isSigned({ signature, ...content }: ConsentProof): boolean {
  const { alg, key, value } = signature;
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x!, y: y! } });
  return verify(
    'sha256',
    Buffer.from(JSON.stringify({ ...content, signature: { alg, key } })),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(value, 'base64url'),
  );
}

export const proofOf = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString()) as ConsentProof;

/** Each differs from the original in one byte, by a value that the numbers choose. */
export function* withOneByteChanged(bytes: Uint8Array): Generator<Uint8Array> {
  // Numerical Recipes; the same for every run.
  let state = 1;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (const at of bytes.keys()) {
    const changed = Uint8Array.from(bytes);
    changed[at] = ((bytes[at] ?? 0) + 1 + next(255)) % 256;
    yield changed;
  }
}
