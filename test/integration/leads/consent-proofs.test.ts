import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import * as consentStore from '#functions/data/leads/consent';
import { createProver } from '#functions/domain/leads/consent-proof';
import { createKeyLoader } from '#functions/keys/keys';
import { aSentConsent } from '#test/factories/consents';
import { aLeadRequest } from '#test/factories/people';
import { openOrder } from '#test/harness/cloud';
import { runCommand } from '#test/harness/commands';
import { itOnEngine } from '#test/harness/fixtures';
import { proofOf } from '#test/harness/proofs';

itOnEngine(
  'the proof of a lead’s consent is checked offline against published checkpoints',
  async ({ cloud }) => {
    const { admin, visitor, table, environment } = cloud;
    const { buyer_id } = await openOrder(admin);
    const consent = aSentConsent();
    const { lead_id } = await admin.ok('createLead', { body: aLeadRequest({ buyer_id, consent }) });
    await cloud.advance(3_600_000);
    await openOrder(admin);
    await cloud.advance(25 * 3_600_000);

    const item = await consentStore.get({ table }, lead_id);
    const loadKeys = createKeyLoader({ KEYS_JSON: environment.KEYS_JSON, KEYS_ARN: undefined });
    const prove = createProver({ table, proofSigner: async () => (await loadKeys()).proofSigner() });
    const bytes = await prove({ item: item!, number: '1-1', seller: undefined, withdrawn_at: undefined });
    const published = await visitor.ok('listConsentCheckpoints');
    expect(published.checkpoints.length).toBeGreaterThanOrEqual(2);
    expect(published.keys).toEqual([proofOf(bytes!).signature.key]);
    expect(proofOf(bytes!)).toMatchObject({ wording: consent.text });
    const newest = published.checkpoints[0]!;
    const older = await visitor.ok('listConsentCheckpoints', { query: { before: newest.link } });
    expect(older.checkpoints).toEqual(published.checkpoints.slice(1));

    const folder = mkdtempSync(join(tmpdir(), 'proof-'));
    const stored = (name: string, content: string | Uint8Array) => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const file = stored('proof.json', bytes!);
    const answer = stored('checkpoints.json', JSON.stringify(published));
    for (const checkpoints of [answer, String(environment.AUDIT_CHECKPOINTS_FILE)]) {
      const { code, output } = await runCommand('verify-consent', [file, '--checkpoints', checkpoints], {});
      expect(output).toContain('Valid: sealed, and covered by a published checkpoint.\nlead: 1-1\n');
      expect(output).toContain(`wording: ${consent.text}`);
      expect(code).toBe(0);
    }
    expect((await runCommand('verify-consent', [file], {})).output).toMatch(
      /^Valid: sealed, but not covered .*\nThe key is not compared/,
    );
    const changed = Buffer.from(bytes!).toString().replace('1-1', '1-2');
    expect(await runCommand('verify-consent', [stored('changed.json', changed)], {})).toMatchObject({
      code: 1,
      output: 'Not valid: the signature does not fit the content.\n',
    });
    expect(await runCommand('verify-consent', [file, '--checkpoints', file], {})).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^There is no checkpoint in /),
    });
  },
);
