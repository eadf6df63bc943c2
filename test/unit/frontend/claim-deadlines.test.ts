import { describe, expect, it } from 'vitest';
import { deadlineText, urgencyOf, urgent } from '#frontend/admin/claims/deadlines';
import type { ClaimRow } from '#shared/contract/schemas/claims';

/** A Wednesday; the next Monday is the third working day after it. */
const now = new Date('2026-11-18T12:00:00Z');
const aClaim = (decide_by: string | null, changes: Partial<ClaimRow> = {}) =>
  ({ claim_status: 'pending', decide_by, default_decision: 'reject', ...changes }) as ClaimRow;

describe('the deadline of a claim', () => {
  it('shows the default decision, and is overdue after its day', () => {
    expect(deadlineText(aClaim('2026-11-23'), now)).toBe('23.11.2026, then rejected');
    expect(deadlineText(aClaim('2026-11-23', { default_decision: 'none' }), now)).toBe('23.11.2026');
    expect(deadlineText(aClaim('2026-11-17'), now)).toBe('17.11.2026, overdue');
    expect(deadlineText(aClaim(null), now)).toBeUndefined();
    expect(deadlineText(aClaim('2026-11-17', { claim_status: 'approved' }), now)).toBeUndefined();
  });

  it('is soon with at most two working days after today', () => {
    const days = ['2026-11-17', '2026-11-18', '2026-11-20', '2026-11-23'];
    expect(days.map((day) => urgencyOf(aClaim(day), now))).toEqual(['overdue', 'soon', 'soon', 'later']);
  });

  it('filters pending claims, earliest first', () => {
    const claims = ['2026-11-23', '2026-11-19', null, '2026-11-16'].map((day) => aClaim(day));
    const shown = (filter: 'all' | 'soon' | 'overdue') =>
      urgent(claims, filter, now).map(({ decide_by }) => decide_by);
    expect(shown('all')).toEqual(['2026-11-23', '2026-11-19', null, '2026-11-16']);
    expect(shown('soon')).toEqual(['2026-11-16', '2026-11-19']);
    expect(shown('overdue')).toEqual(['2026-11-16']);
  });
});
