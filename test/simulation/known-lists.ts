/** Lists of people that buyers know. Whether a list has a person depends on the person's number only. */
import { addPart, beginList, deleteParts } from '#functions/domain/leads/known-people';
import { fingerprintOf } from '#functions/platform/fingerprints';
import type { Api } from '#test/simulation/api-process';
import { type Actions, buyers, COMES_AGAIN, ofBuyer, ofOne } from '#test/simulation/picks';
import { saltedHash } from '#test/simulation/referee/hashes';
import type { SimulatedWorld } from '#test/simulation/world';

const PEOPLE = 24;
const EVERY = 4;
const NOBODY = 0;

function contactsOf(owner: number): string[] {
  const those = Array.from({ length: PEOPLE }, (_, person) => person).filter(
    (person) => (person + owner) % EVERY === 0,
  );
  return [
    ...those.map((person) =>
      person % 3 === 0 ? `email person${person}@example.org` : `phone +49170${1_000_000 + person}`,
    ),
    // Of the people who come from sources.
    `phone +49171${1_000_000 + (owner % EVERY)}`,
    ...(owner === 2 ? [`phone ${COMES_AGAIN}`] : []),
  ];
}

/** @param owner the buyer's number, or 0 for nobody */
async function upload(api: Api, who: string, buyerId: string | null, owner: number): Promise<void> {
  const key = await api.personKey();
  const { list } = await beginList(api, who, { buyerId, name: 'people.csv', file: '' });
  const hashes = contactsOf(owner).map((contact) => fingerprintOf(key, saltedHash(key, contact)));
  await addPart(api, list.list_id, { part: 1, hashes, people: hashes.length, last: true });
}

const numberOf = (world: SimulatedWorld, id: string) =>
  Number(buyers(world).find(({ buyer_id }) => buyer_id === id)?.buyer);

/** The lists before any lead. */
export async function uploadFirst(world: SimulatedWorld, api: Api): Promise<void> {
  for (const { buyer_id, buyer } of buyers(world))
    if (world.draws.chance('known people', 0.6)) await upload(api, 'setup', String(buyer_id), Number(buyer));
  if (world.draws.chance('known people', 0.4)) await upload(api, 'setup', null, NOBODY);
}

/** Actions if buyers know people. */
export const KNOWN_ACTIONS: Actions = {
  'upload known people': ofBuyer(3, (id, world) => {
    const owner = numberOf(world, id);
    return (api, who) => upload(api, who, id, owner);
  }),
  'delete known people': ofOne(
    2,
    'list',
    ({ table }) => table.partition('KNOWN'),
    ({ list_id }) =>
      (api, who) =>
        deleteParts(api, who, String(list_id)),
  ),
};
