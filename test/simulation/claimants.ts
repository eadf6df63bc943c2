/** Buyers who claim leads, mostly of persons who came before, and admins who reverse automatic decisions. */
import { fileClaim } from '#functions/domain/claims/claims';
import { reverseDecision } from '#functions/domain/claims/reversal';
import { noteEvent } from '#functions/domain/common/addresses';
import { aVisitor } from '#test/factories/links';
import type { Api } from '#test/simulation/api-process';
import type { Process } from '#test/simulation/kernel';
import { by, COMES_AGAIN, type Deed, leads, orders, pickFrom } from '#test/simulation/picks';
import type { SimulatedWorld } from '#test/simulation/world';

/** E-mails to these addresses bounce, so claims of a wrong address are decidable automatically. */
const isDead = (email: unknown) => /^person\d*[03]@/.test(String(email));

/** An earlier e-mail to that address bounced. */
export const noteDead = (api: Api, email: string) =>
  noteEvent(api, email, {
    id: `before-${email}`,
    state: 'bounced_hard',
    at: api.runtime.now().toISOString(),
    by: 'ses',
    code: '5.1.1',
    diagnostic: null,
  });
/**
 * Address states known from the start.
 * @param people the maximum number
 */
export async function noteDeadAddresses(api: Api, people: number): Promise<void> {
  for (let number = 0; number < people; number += 1) {
    const email = `person${number}@example.org`;
    if (isDead(email)) await noteDead(api, email);
  }
}

/** A reason for which the lead may be claimed, if there is one. */
function reasonFor(
  world: SimulatedWorld,
  lead: { readonly email?: unknown; readonly telefon?: unknown; readonly assigned_at?: unknown },
): string {
  const { draws } = world;
  if (isDead(lead.email) && draws.chance('dead', 0.5)) return 'falsche_email';
  if (lead.telefon === COMES_AGAIN && draws.chance('duplicate', 0.85)) return 'doppelt';
  const isOld = String(lead.assigned_at) < new Date(world.startMs).toISOString();
  return isOld && draws.chance('not reached', 0.6) ? 'ne' : 'wrong_number';
}

export const FILE_CLAIM = by(5, (world) => {
  const again = world.draws.chance('again claimed', 0.5);
  // The same lead may be claimed twice.
  const isNew = world.draws.chance('new claim', 0.7);
  const claimable = leads(world, 'assigned').filter(
    ({ lead_type, telefon, email, claim_id }) =>
      lead_type === 'original' &&
      (!again || telefon === COMES_AGAIN || isDead(email)) &&
      (!isNew || claim_id === undefined),
  );
  const lead = pickFrom(world, 'claimed', claimable);
  const order = orders(world).find(({ order_id }) => order_id === lead?.order_id);
  const owner = world.table.partition('BUYERS').find(({ buyer }) => buyer === order?.buyer);
  if (lead === undefined || order === undefined || owner === undefined) return undefined;
  const byLink = world.draws.chance('link', 0.8);
  const claim = {
    leadId: String(lead.lead_id),
    orderId: Number(order.order_id),
    buyerId: String(owner.buyer_id),
    reason: reasonFor(world, lead),
  };
  const visitor = aVisitor({ knows: async () => true });
  return (api, who) =>
    fileClaim(api, byLink ? { token: String(order.token), visitor } : { admin: who }, claim);
});

export const REVERSE = by(3, (world) => {
  const decided = [...world.table.items()].filter(
    ({ sk, rule, reversed_at }) => sk === 'CLAIM' && rule !== undefined && reversed_at === undefined,
  );
  const claim = pickFrom(world, 'reversed', decided);
  return claim && ((api, who) => reverseDecision(api, { who, claimId: Number(claim.claim_id), notes: '' }));
});

const ROUNDS = 5;
const PATIENCE_MS = 40_000;
/** Concurrent writes of others during a reversal. */
const MEANWHILE = ['ORDERS', 'CLAIM', 'LEAD', 'POOL', 'REPLACEMENTS'];

/**
 * Files a possible claim, waits for the automatic decision and reverses it, often as two admins concurrently and while
 * others write.
 * @param ask performs the chosen action as this person
 */
export async function claimAndReverse(
  world: SimulatedWorld,
  number: number,
  ask: (world: SimulatedWorld, person: string, name: string, run: Deed) => Promise<void>,
): Promise<void> {
  const { draws } = world;
  const claimant: Process = world.process(`claimant${number}`);
  await claimant.sleep(draws.below('claimant at', PATIENCE_MS));
  for (let round = 0; round < ROUNDS; round += 1) {
    const filing = FILE_CLAIM.choose(world);
    if (filing !== undefined) await ask(world, `claimant${number}-${round}`, 'file claim', filing);
    await world.nextWrite(claimant, filing === undefined ? 'LEAD' : 'CLAIM', PATIENCE_MS);
    if (draws.chance('reverses', 0.3)) continue;
    if (draws.chance('meanwhile', 0.6))
      await world.nextWrite(claimant, draws.pick('meanwhile', MEANWHILE), PATIENCE_MS);
    const reversal = REVERSE.choose(world);
    if (reversal === undefined) continue;
    const admins = draws.chance('two reverse', 0.5) ? ['a', 'b'] : ['a'];
    await Promise.all(
      admins.map((admin) => ask(world, `reverser${number}-${round}${admin}`, 'reverse decision', reversal)),
    );
  }
}
