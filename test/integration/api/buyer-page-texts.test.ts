/** The buyer's page shows every error in German. */
import { describe, expect } from 'vitest';
import { refusalText } from '#frontend/buyer/refusal-text';
import type { Reply } from '#local/api-client';
import { aLeadRequest } from '#test/factories/people';
import { openOrder } from '#test/harness/cloud';
import { it } from '#test/harness/fixtures';

const NOBODY = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
/** Every English sentence contains one of these words. */
const ENGLISH =
  /\b(are|as|at|by|cannot|characters|expected|found|from|here|is|must|no|not|only|please|required|the|this|too)\b/i;

/** The text on the page; `undefined` for a success. */
function saidOf({ status, body }: Reply): string | undefined {
  if (status < 400) return undefined;
  const {
    error,
    code,
    fields = {},
  } = body as { error: string; code: string; fields?: Record<string, string> };
  return refusalText({ status, message: error, code, fields, isDefault: false });
}

let call: Record<
  'edit' | 'remove' | 'claim' | 'read' | 'say',
  { method: string; path: string; body?: object }
>;

describe('every error on the buyer’s page', () => {
  it.beforeAll(async ({ cloud: { admin } }) => {
    const { buyer_id, orderId, token } = await openOrder(admin, { buyer_id: 'meier' });
    const { lead_id } = await admin.ok('createLead', { body: aLeadRequest() });
    const lead = `/api/admin/leads/${lead_id}`;
    call = {
      edit: { method: 'PUT', path: lead, body: { vorname: 'Erika' } },
      remove: { method: 'DELETE', path: lead },
      claim: {
        method: 'POST',
        path: `/api/lead-claims?token=${token}`,
        body: { lead_id, order_id: orderId, buyer_id, claim_reason: 'fake' },
      },
      read: { method: 'GET', path: `/api/lead-claims/lead/${lead_id}?token=${token}` },
      say: {
        method: 'PUT',
        path: `/api/leads-view/${token}/leads/${lead_id}/feedback`,
        body: { feedback: 'reached' },
      },
    };
  });

  it('is German for invalid requests', async ({ cloud: { admin } }) => {
    const json = { 'content-type': 'application/json' };
    const said: (string | undefined)[] = [];
    for (const { method, path, body } of [call.edit, call.claim]) {
      const send = async (sent: unknown, headers: Record<string, string> = json) =>
        said.push(saidOf(await admin.raw(method, path, sent, headers)));
      await send('{"a":');
      await send('a=b', { 'content-type': 'application/x-www-form-urlencoded' });
      await send(`"${'x'.repeat(600_000)}"`);
      await send(`"${'x'.repeat(1_100_000)}"`);
      await send(JSON.stringify(body), { ...json, origin: 'https://evil.example' });
      for (const field of method === 'PUT' ? ['vorname', 'email', 'anlagebetrag'] : Object.keys(body ?? {}))
        for (const value of ['', 'x'.repeat(2000), 'a\u0000', -1, []])
          await send({ ...body, [field]: value });
    }
    expect(said.filter((text) => text !== undefined && ENGLISH.test(text))).toEqual([]);
    expect(new Set(said).size).toBeGreaterThan(4);
  });

  it('is German for any state of lead and caller', async ({ cloud: { admin, visitor } }) => {
    const { edit, remove, claim, read, say } = call;
    const other = (path: string) => path.replace(/[0-9A-Z]{26}/, NOBODY);
    const otherToken = (path: string) => path.replace(/token=.*/, `token=${'A'.repeat(43)}`);
    const replies = [
      await visitor.raw(edit.method, edit.path, edit.body),
      await visitor.raw(remove.method, remove.path),
      await admin.raw(edit.method, other(edit.path), edit.body),
      await admin.raw(edit.method, '/api/admin/leads/x', edit.body),
      await admin.raw(remove.method, other(remove.path)),
      await visitor.raw(read.method, read.path),
      await visitor.raw(read.method, otherToken(read.path)),
      await visitor.raw(read.method, read.path.replace(/\?.*/, '')),
      await visitor.raw(claim.method, otherToken(claim.path), claim.body),
      await visitor.raw(claim.method, claim.path, { ...claim.body, buyer_id: 'somebody-else' }),
      await visitor.raw(claim.method, claim.path, { ...claim.body, lead_id: NOBODY }),
      await visitor.raw(claim.method, claim.path, { ...claim.body, claim_reason: 'ne' }),
      await visitor.raw(say.method, say.path.replace(/view\/[^/]+/, `view/${'A'.repeat(43)}`), say.body),
      await visitor.raw(say.method, other(say.path), say.body),
      await visitor.raw(say.method, say.path, { feedback: 'perhaps' }),
    ];
    expect((await visitor.raw(claim.method, claim.path, claim.body)).status).toBe(200);
    replies.push(
      await visitor.raw(claim.method, claim.path, claim.body),
      await admin.raw(remove.method, remove.path),
      await visitor.raw('PATCH', '/api/lead-claims'),
      await visitor.raw('GET', '/api/leads-view'),
    );
    expect(replies.map(({ status }) => status)).toEqual([
      401, 401, 404, 400, 404, 404, 404, 401, 404, 403, 403, 400, 404, 403, 400, 409, 409, 405, 404,
    ]);
    expect(replies.map((reply) => saidOf(reply)).filter((text) => ENGLISH.test(text ?? 'no'))).toEqual([]);
  });
});
