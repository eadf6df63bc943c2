/** Brings the stored search words of all claims up to date with the current code, while the product runs. */

import * as claimStore from '#functions/data/claims/claim-store';
import { type Posting, postingId, postingsOf } from '#functions/data/claims/claim-words';
import type { DataContext } from '#functions/data/context';
import { personSchema } from '#functions/data/leads/lead';
import * as leadStore from '#functions/data/leads/lead-store';

const CLAIMS_AT_ONCE = 50;
const MAX_WORDS_PER_TRANSACTION = 90;

export async function rebuildClaimWords(context: DataContext, repair: boolean) {
  // Words are read before claims. If a claim is edited between the two reads, the conditional write of its correction fails.
  const stored = new Map<number, Posting[]>();
  const ids: number[] = [];
  for await (const { claims, words } of claimStore.everyWord(context)) {
    for (const claim of claims) ids.push(claim);
    for (const { posting, claims: having } of words)
      for (const claim of having) {
        const its = stored.get(claim);
        if (its === undefined) stored.set(claim, [posting]);
        else its.push(posting);
      }
  }
  let [outdated, corrected] = [0, 0];
  for (let start = 0; start < ids.length; start += CLAIMS_AT_ONCE) {
    const outcomes = await correct(context, ids.slice(start, start + CLAIMS_AT_ONCE), stored, repair);
    outdated += outcomes.filter((outcome) => outcome !== 'right').length;
    corrected += outcomes.filter((outcome) => outcome === 'corrected').length;
  }
  return { claims: ids.length, outdated, corrected };
}

async function correct(
  context: DataContext,
  ids: readonly number[],
  stored: ReadonlyMap<number, readonly Posting[]>,
  repair: boolean,
): Promise<('right' | 'corrected' | 'outdated')[]> {
  const claims = (await claimStore.getMany(context, ids)).flatMap((claim) => claim ?? []);
  const leads = await leadStore.ofEach(context, claims);
  return Promise.all(
    claims.map(async (claim, at) => {
      const lead = leads[at];
      if (lead === undefined) return 'right';
      const wanted = postingsOf(claim, personSchema.parse(lead));
      const has = stored.get(claim.claim_id) ?? [];
      const missing = lacking(wanted, has);
      const surplus = lacking(has, wanted);
      if (missing.length + surplus.length === 0) return 'right';
      if (!repair) return 'outdated';
      while (missing.length + surplus.length > 0) {
        const added = missing.splice(0, MAX_WORDS_PER_TRANSACTION);
        const deleted = surplus.splice(0, MAX_WORDS_PER_TRANSACTION - added.length);
        if (!(await claimStore.correctWords(context, claim, { missing: added, surplus: deleted })))
          return 'outdated';
      }
      return 'corrected';
    }),
  );
}

function lacking(some: readonly Posting[], others: readonly Posting[]): Posting[] {
  const ids = new Set(others.map(postingId));
  return some.filter((posting) => !ids.has(postingId(posting)));
}
