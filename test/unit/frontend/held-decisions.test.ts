import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Decision, HeldDecisions } from '#frontend/admin/data/held-decisions';

// Uses browser types, which these tests are compiled without.
const { decideClaim } = await vi.importActual<{ decideClaim: (decision: Decision) => Promise<void> }>(
  '#frontend/admin/data/claims',
);

/** Long enough to notice a mistake, and short enough to end before the page is closed. */
const UNDO_MS = 5000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const decision = (claimId: number, notes = '') => ({ claimId, status: 'approved' as const, notes });

function holder() {
  const sent: number[] = [];
  const held = new HeldDecisions(({ claimId }) => {
    sent.push(claimId);
    return Promise.resolve();
  });
  const listed = () => held.snapshot().map(({ claimId, state }) => `${claimId} ${state}`);
  return { held, sent, listed };
}

describe('a held decision', () => {
  it('is sent five seconds after it was made', async () => {
    const { held, sent, listed } = holder();
    held.hold(decision(1));
    await vi.advanceTimersByTimeAsync(3000);
    held.hold(decision(2));
    await vi.advanceTimersByTimeAsync(UNDO_MS - 3001);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual([1]);
    expect(listed()).toEqual(['2 held']);
    await vi.advanceTimersByTimeAsync(3000);
    expect(sent).toEqual([1, 2]);
    expect(listed()).toEqual([]);
  });

  it('is never sent after an undo, and can be made again', async () => {
    const { held, sent } = holder();
    held.hold(decision(1));
    expect(held.undo(1)).toBe(true);
    await vi.advanceTimersByTimeAsync(2 * UNDO_MS);
    expect(sent).toEqual([]);
    held.hold(decision(1));
    await vi.advanceTimersByTimeAsync(UNDO_MS);
    expect(sent).toEqual([1]);
    expect(held.undo(1)).toBe(false);
  });

  it('is sent once immediately when its page is left, and stays listed until the lists are refreshed', async () => {
    const sent: number[] = [];
    let end = () => {};
    const held = new HeldDecisions(({ claimId }) => {
      sent.push(claimId);
      return new Promise((resolve) => {
        end = resolve;
      });
    });
    held.hold(decision(1));
    held.sendAll();
    held.sendAll();
    await vi.advanceTimersByTimeAsync(2 * UNDO_MS);
    expect(sent).toEqual([1]);
    expect(held.snapshot()).toMatchObject([{ claimId: 1, state: 'sent' }]);
    end();
    await vi.advanceTimersByTimeAsync(0);
    expect(held.snapshot()).toEqual([]);
  });

  it('wins if it is the first of two for the same claim', async () => {
    const sent: string[] = [];
    const held = new HeldDecisions(({ status }) => {
      sent.push(status);
      return Promise.resolve();
    });
    held.hold(decision(1));
    held.hold({ ...decision(1), status: 'rejected' });
    await vi.advanceTimersByTimeAsync(UNDO_MS);
    expect(sent).toEqual(['approved']);
  });

  it('is sent early if all notes exceed what a closing page may send', () => {
    const { held, sent } = holder();
    for (const claimId of [1, 2, 3]) held.hold(decision(claimId, 'x'.repeat(4000)));
    expect(sent).toEqual([1]);
  });

  it.each([
    ['approved', 'approve'],
    ['rejected', 'reject'],
  ] as const)('that is %s reaches the server even if its page closes', async (status, path) => {
    const fetched = vi.fn(async () => Response.json({}));
    vi.stubGlobal('fetch', fetched);
    await decideClaim({ claimId: 7, status, notes: 'Stimmt' });
    vi.unstubAllGlobals();
    expect(fetched).toHaveBeenCalledWith(
      `/api/lead-claims/admin/${path}/7`,
      expect.objectContaining({ method: 'POST', keepalive: true, body: '{"admin_notes":"Stimmt"}' }),
    );
  });
});
