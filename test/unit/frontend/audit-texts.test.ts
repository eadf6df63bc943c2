import { describe, expect, it } from 'vitest';
import { changeText, subjectText } from '#frontend/admin/audit/audit-texts';

/** 22.11.2026, 09:00 in Berlin. */
const ID = '01KAN5GDG0TTTTTTTTTTTTTTTT';

describe('the audit trail', () => {
  it('shows the changed object without its stored ID', () => {
    expect(subjectText({ entity: 'buyer', entity_id: 'acme' })).toBe('Buyer acme');
    expect(subjectText({ entity: 'order', entity_id: '12' })).toBe('Order 12');
    expect(subjectText({ entity: 'lead', entity_id: ID })).toMatch(/^Lead of \d\d\.\d\d\.\d{4}, \d\d:\d\d$/);
  });

  it.each([
    ['probability', 12.5, 1500, 'Probability: 12,5 → 1.500'],
    ['phone_verification', true, false, 'Phone verification: on → off'],
    ['addresses', null, [], 'Addresses: – → none'],
    ['src', null, 'web', 'Source: – → web'],
    ['email_template_id', '', '01J0000000000000000000000T', 'E-mail template: – → Standard'],
    ['deleted_at', null, '2026-11-22T08:12:00.000Z', 'Deleted at: – → 22.11.2026, 09:12'],
    ['template', ID, null, /^Template: a record from [\d., :]+ → –$/],
  ] as const)('shows a change of %s from %j to %j', (field, from, to, text) => {
    expect(changeText({ field, from, to }, new Map([['01J0000000000000000000000T', 'Standard']]))).toMatch(
      typeof text === 'string' ? new RegExp(`^${text.replace('.', '\\.')}$`) : text,
    );
  });
});
