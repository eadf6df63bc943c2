import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as auditChainStore from '#functions/data/administration/audit-chain-store';
import * as auditStore from '#functions/data/administration/audit-store';
import { merklePath, merkleRoot } from '#functions/data/administration/merkle';
import * as consentStore from '#functions/data/leads/consent';
import { keys } from '#functions/data/table/keys';
import type { Item } from '#functions/data/table/table';
import { verifyAudit } from '#functions/domain/administration/audit-check';
import { memoryTable } from '#test/harness/memory-table';
import { aSealedChain } from '#test/harness/proofs';

const sha = (...parts: (Buffer | string)[]) => {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(part);
  return sum.digest();
};
const hashed = (value: unknown) => sha(JSON.stringify(value)).toString('base64url');

/** As RFC 6962 defines it: split at the largest power of two below the size. */
function naiveRoot(leaves: readonly (readonly string[])[]): Buffer {
  if (leaves.length === 0) return sha('');
  if (leaves.length === 1) return sha(Buffer.of(0), JSON.stringify(leaves[0]));
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return sha(Buffer.of(1), naiveRoot(leaves.slice(0, split)), naiveRoot(leaves.slice(split)));
}

function aChain() {
  const { context, ...chain } = aSealedChain(memoryTable());
  const { table } = context;
  return {
    ...context,
    ...chain,
    findings: async () =>
      (await verifyAudit(auditChainStore.links({ table }), table.scan(), auditStore.listed({ table }), []))
        .findings,
    async links(): Promise<Item[]> {
      return (await table.queryAll({ partition: keys.auditChain() })).map((item) => ({
        ...item,
        leaves: JSON.parse(String(item.leaves)),
      }));
    },
  };
}

describe('a link of the audit chain', () => {
  it('has the root of RFC 6962, and a path from each leaf to it', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 40 }), (leaves) => {
        const root = naiveRoot(leaves);
        expect(merkleRoot(leaves)).toBe(root.toString('base64url'));
        leaves.forEach((leaf, at) => {
          let hash = sha(Buffer.of(0), JSON.stringify(leaf));
          for (const step of merklePath(leaves, at))
            hash =
              'left' in step
                ? sha(Buffer.of(1), Buffer.from(step.left, 'base64url'), hash)
                : sha(Buffer.of(1), hash, Buffer.from(step.right, 'base64url'));
          expect(hash).toEqual(root);
        });
      }),
      { numRuns: 60 },
    ));

  it('hashes its header, with the link before and the one that its number skips to', async () => {
    const chain = aChain();
    for (let link = 1; link <= 12; link += 1) {
      await chain.consent(`lead-${link}`);
      await chain.seal();
    }
    const links = await chain.links();
    const hash = (number: number) => (number === 0 ? '' : links[number - 1]?.hash);
    const skips = [0, 0, 2, 0, 4, 4, 6, 0, 8, 8, 10, 8];
    expect(links).toHaveLength(skips.length);
    links.forEach(({ link, previous, skip, sealed_at, up_to, leaves, root, ...own }, at) => {
      expect([previous, skip]).toEqual([hash(at), hash(skips[at]!)]);
      expect(root).toBe(naiveRoot(leaves as string[][]).toString('base64url'));
      expect(own.hash).toBe(hashed([link, previous, skip, sealed_at, up_to, root]));
    });
    expect(await chain.findings()).toEqual([]);
    const [, second] = links;
    for (const changes of [{ root: hash(1) }, { skip: hash(1) }]) {
      await chain.table.put({
        put: { ...second, ...keys.auditLink(2), leaves: JSON.stringify(second!.leaves), ...changes },
      });
      expect(await chain.findings()).toEqual(['link 2 was changed']);
    }
  });

  it('may follow a link whose hash covers its leaves', async () => {
    const chain = aChain();
    await chain.consent('lead');
    await chain.seal();
    const [first] = await chain.links();
    const { pk, sk, link, previous, sealed_at, up_to, leaves } = first!;
    const hash = hashed([link, previous, sealed_at, up_to, leaves]);
    await chain.table.put({
      put: {
        pk: String(pk),
        sk: String(sk),
        link,
        previous,
        sealed_at,
        up_to,
        hash,
        leaves: JSON.stringify(leaves),
      },
    });
    await chain.consent('another');
    await chain.seal();
    expect((await chain.links())[1]).toMatchObject({ previous: hash });
    expect(await chain.findings()).toEqual([]);
  });
});

describe('a sealed consent', () => {
  const sealed = async () => {
    const chain = aChain();
    for (const lead of ['a', 'b', 'c', 'd', 'e']) await chain.consent(lead);
    expect(await chain.seal()).toBe(5);
    expect(await chain.seal()).toBe(0);
    chain.pass(24 * 3_600_000);
    await chain.seal();
    return chain;
  };
  const key = keys.consent('a');

  it('has a leaf that covers lead, time, person and record', async () => {
    const chain = await sealed();
    const [first] = await chain.links();
    const { seed, person, consent } = (await chain.table.get(key))!;
    const commitment = hashed([seed, person, consent]);
    expect(first?.leaves).toContainEqual([
      'LEAD#a',
      'CONSENT',
      hashed(['consent', 'a', '2026-01-01T00:00:00.000Z', commitment]),
    ]);
  });

  it('may be erased', async () => {
    const chain = await sealed();
    await consentStore.erase(chain, { lead_id: 'a', received_at: '' });
    expect(JSON.stringify(await chain.table.get(key))).not.toContain('example.org');
    expect(await chain.findings()).toEqual([]);
  });

  it.each([
    ['person', '{"email":"b@example.org"}', 'was changed'],
    ['consent', '{"method":"other"}', 'was changed'],
    ['recorded_at', '2026-01-01T00:00:00.001Z', 'was changed'],
    ['commitment', 'A'.repeat(43), 'was changed'],
    ['person', 1, 'was changed, it cannot be read'],
  ])('is found when its %s is changed to %s', async (field, value, what) => {
    const chain = await sealed();
    await chain.table.put({ put: { ...(await chain.table.get(key))!, ...key, [field]: value } });
    expect(await chain.findings()).toEqual([`entry LEAD#a CONSENT: ${what}`]);
  });

  it('is found when it is removed, and one that is inserted later', async () => {
    const chain = await sealed();
    const item = await chain.table.get(key);
    await chain.table.delete({ delete: key });
    expect(await chain.findings()).toEqual(['entry LEAD#a CONSENT: was removed']);
    await chain.table.put(
      consentStore.consentPut({ lead_id: 'x', recorded_at: String(item?.recorded_at), commitment: 'c' }),
    );
    expect(await chain.findings()).toEqual([
      'entry LEAD#x CONSENT: was inserted, it is old and in no link',
      'entry LEAD#a CONSENT: was removed',
    ]);
  });

  it('does not include one that is not in the list yet, nor one that is too new', async () => {
    const chain = await sealed();
    await chain.table.put({
      put: { ...keys.consent('y'), lead_id: 'y', recorded_at: '2026-01-01T00:00:00.000Z' },
    });
    await chain.consent('z');
    expect(await chain.findings()).toEqual([]);
  });
});
