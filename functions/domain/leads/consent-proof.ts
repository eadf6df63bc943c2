/** Makes proofs of consents, signed and, as soon as the audit chain has sealed the consent, with the way to a checkpoint. */
import * as auditChainStore from '#functions/data/administration/audit-chain-store';
import { type Link, OVERLAP_MS } from '#functions/data/administration/audit-chain-store';
import { merklePath } from '#functions/data/administration/merkle';
import type { DataContext } from '#functions/data/context';
import type { ConsentItem } from '#functions/data/leads/consent';
import * as consentTextStore from '#functions/data/leads/consent-text-store';
import { keys } from '#functions/data/table/keys';
import type { ProofSigner } from '#functions/keys/proof-key';
import { memoize } from '#functions/platform/memoize';
import {
  type ConsentProof,
  linksBetween,
  PROOF_FORMAT,
  proofBytes,
  signedText,
} from '#shared/rules/consent-proof';

export interface ProofContext extends DataContext {
  readonly proofSigner: () => Promise<ProofSigner>;
}

export interface Proven {
  readonly item: ConsentItem;
  /** Of the lead, as the buyer knows it. */
  readonly number: string;
  readonly seller: Readonly<Record<string, string>> | undefined;
  readonly withdrawn_at: string | undefined;
}

/** @returns undefined for a consent that was erased */
export type Prover = (of: Proven) => Promise<Uint8Array<ArrayBuffer> | undefined>;

/** For one or many proofs, which read each link and each wording once. */
export function createProver(context: ProofContext): Prover {
  const linkAt = once((number: number) => auditChainStore.linkAt(context, number));
  const wordingOf = once((hash: string) => consentTextStore.get(context, hash));
  const signer = memoize(context.proofSigner);
  const newest = memoize(() => auditChainStore.newestNumber(context));
  const checkpointFrom = once((number: number) => auditChainStore.checkpointFrom(context, number));

  /** The first that contains entries of this time; later ones contain only entries that were written late. */
  const firstLink = async (instant: string): Promise<number> => {
    let [low, high] = [1, (await newest()) + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (((await linkAt(middle))?.up_to ?? '') < instant) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  const sealOf = async ({ lead_id, recorded_at, seed = '' }: ConsentItem): Promise<ConsentProof['seal']> => {
    const { pk, sk } = keys.consent(lead_id);
    let number = await firstLink(recorded_at);
    let link: Link | undefined;
    let at = -1;
    do {
      link = await linkAt(number);
      at = link?.leaves.findIndex((leaf) => leaf[0] === pk && leaf[1] === sk) ?? -1;
      number += 1;
    } while (link !== undefined && at < 0 && !isPast(link, recorded_at));
    if (link === undefined || at < 0) return null;
    const head = (await checkpointFrom(link.link))?.link ?? link.link;
    const way = await Promise.all(linksBetween(head, link.link).map(linkAt));
    const headers = way.filter((one) => one !== undefined);
    return { lead_id, seed, path: merklePath(link.leaves, at), headers: headers.map(headerOf) };
  };

  return async ({ item, number, seller, withdrawn_at }) => {
    const { person, consent, recorded_at } = item;
    if (person === undefined || consent === undefined) return undefined;
    const by = await signer();
    const record: { readonly text: string } = JSON.parse(consent);
    const proof: ConsentProof = {
      format: PROOF_FORMAT,
      ...(seller && { seller }),
      lead: { number },
      recorded_at,
      ...(withdrawn_at !== undefined && { withdrawn_at }),
      person: JSON.parse(person),
      consent: { ...record },
      wording: (await wordingOf(record.text)) ?? '',
      seal: await sealOf(item),
      signature: { alg: 'ES256', key: by.key, value: '' },
    };
    return proofBytes({ ...proof, signature: { ...proof.signature, value: by.sign(signedText(proof)) } });
  };
}

function once<Of, Found>(load: (of: Of) => Promise<Found>): (of: Of) => Promise<Found> {
  const loaded = new Map<Of, Promise<Found>>();
  return (of) => {
    const found = loaded.get(of) ?? load(of);
    loaded.set(of, found);
    return found;
  };
}

/** Links after this one look back too little to contain entries of this time. */
const isPast = ({ up_to }: Link, instant: string) => Date.parse(up_to) - OVERLAP_MS > Date.parse(instant);

const headerOf = ({ link, previous, skip = '', sealed_at, up_to, root = '' }: Link) => ({
  link,
  previous,
  skip,
  sealed_at,
  up_to,
  root,
});
