/** The wordings of consent that a source registers. */
import { describe, expect, it } from 'vitest';
import * as auditStore from '#functions/data/administration/audit-store';
import * as consentTextStore from '#functions/data/leads/consent-text-store';
import * as sourceStore from '#functions/data/sources/source-store';
import { addConsentText, retireConsentText, textsOf } from '#functions/domain/sources/consent-texts';
import { createSource } from '#functions/domain/sources/sources';
import { adminOn, changedTable, quietRuntime } from '#test/harness/distribution';
import { memoryTable } from '#test/harness/memory-table';

const CALLS = 'Ich möchte angerufen werden.';
/** `printf '%s' … | openssl dgst -sha256 -binary | basenc --base64url` without the padding. */
const HASH_OF_CALLS = 'lHjosxbb1FnIzN-mh_xnmoCoA0tqqvi7skFJorWFulE';

async function aSource() {
  const table = memoryTable();
  const deps = adminOn(table, quietRuntime);
  const { source: id } = await createSource(deps, 'anna', { name: 'Page', src: 'page' });
  const stored = async () => (await sourceStore.get(deps, id))!;
  const texts = async () => (await textsOf(deps, await stored())).map(({ id, text }) => [id, text]);
  const audit = async () =>
    (await auditStore.list(deps, { entity: 'source', entityId: String(id) }, { limit: 50 })).entries;
  return { deps, id, table, stored, texts, audit };
}

describe('a wording', () => {
  it('is numbered, never changes, and stays readable after it is retired', async () => {
    const { deps, id, texts, stored, audit } = await aSource();
    await addConsentText(deps, 'anna', id, CALLS);
    await addConsentText(deps, 'anna', id, 'Anrufe und E-Mails');
    expect(await texts()).toEqual([
      ['v1', CALLS],
      ['v2', 'Anrufe und E-Mails'],
    ]);
    expect((await stored()).consent_texts[0]?.hash).toBe(HASH_OF_CALLS);
    await retireConsentText(deps, 'bert', id, 'v1');
    expect(await texts()).toEqual([['v2', 'Anrufe und E-Mails']]);
    expect(await consentTextStore.get(deps, HASH_OF_CALLS)).toBe(CALLS);
    await expect(retireConsentText(deps, 'bert', id, 'v1')).rejects.toMatchObject({ kind: 'not_found' });
    const [retired, , added] = await audit();
    expect(retired).toMatchObject({ who: 'bert', action: 'consent_text_retired' });
    expect(added).toMatchObject({ who: 'anna', action: 'consent_text_added' });
    expect(added?.changes).toContainEqual({ field: 'sha256', from: null, to: HASH_OF_CALLS });
  });

  it('does not get the ID of a retired one, though all are retired', async () => {
    const { deps, id, texts } = await aSource();
    await addConsentText(deps, 'anna', id, CALLS);
    await retireConsentText(deps, 'anna', id, 'v1');
    expect(await texts()).toEqual([]);
    await addConsentText(deps, 'anna', id, CALLS);
    expect(await texts()).toEqual([['v2', CALLS]]);
  });

  it('is added once by repeated calls', async () => {
    const { deps, id, texts, audit } = await aSource();
    await addConsentText(deps, 'anna', id, CALLS);
    await addConsentText(deps, 'anna', id, CALLS);
    expect(await texts()).toEqual([['v1', CALLS]]);
    expect(await audit()).toHaveLength(2);
  });

  it('is refused beyond twenty, and stores nothing then', async () => {
    const { deps, id, texts } = await aSource();
    for (let n = 1; n <= 20; n += 1) await addConsentText(deps, 'anna', id, `Fassung ${n}`);
    await expect(addConsentText(deps, 'anna', id, CALLS)).rejects.toMatchObject({
      kind: 'conflict',
      code: 'too_many_consent_texts',
    });
    expect(await consentTextStore.get(deps, HASH_OF_CALLS)).toBeUndefined();
    await retireConsentText(deps, 'anna', id, 'v3');
    await addConsentText(deps, 'anna', id, CALLS);
    expect((await texts()).at(-1)).toEqual(['v21', CALLS]);
  });

  it('is kept next to the one that another admin adds at the same time', async () => {
    const { deps, id, texts, table } = await aSource();
    let writes = 0;
    const transact: typeof table.transact = async (items) => {
      writes += 1;
      if (writes === 1) await addConsentText(deps, 'bert', id, 'Zuerst');
      return table.transact(items);
    };
    await addConsentText({ ...deps, table: changedTable(table, { transact }) }, 'anna', id, 'Danach');
    expect(await texts()).toEqual([
      ['v1', 'Zuerst'],
      ['v2', 'Danach'],
    ]);
  });
});
