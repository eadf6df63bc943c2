import { describe, expect, it } from 'vitest';
import { EMAIL_MACROS, unknownMacros } from '#shared/rules/macros';
import { NEW_TEMPLATE } from '#shared/rules/new-template';
import { templateErrors } from '#shared/rules/template-errors';

const sendable = {
  smtp_port: 587,
  smtp_user: 'leads@example.com',
  smtp_from: '',
  smtp_subject: 'Neuer Lead',
  smtp_body: 'Guten Tag',
  smtp_html_body: '',
};
const errors = (changes: Partial<typeof sendable>) => templateErrors({ ...sendable, ...changes });

describe('a template', () => {
  it.each([
    {},
    { smtp_port: 465 },
    { smtp_user: 'apikey', smtp_from: 'leads@example.com' },
    { smtp_body: '', smtp_html_body: '<p>Guten Tag</p>' },
  ])('that can send has no errors: %j', (changes) => {
    expect(errors(changes)).toEqual({});
  });

  it.each([
    [{ smtp_port: 25 }, 'smtp_port', /587/],
    [{ smtp_user: 'apikey' }, 'smtp_from', /sender address/],
    [{ smtp_from: 'leads' }, 'smtp_from', /sender address/],
    [{ smtp_subject: ' ' }, 'smtp_subject', /subject/],
    [{ smtp_body: '' }, 'smtp_body', /text/],
    [{ smtp_body: '\n', smtp_html_body: ' ' }, 'smtp_body', /text/],
  ] as const)('with %j has an error at %s', (changes, field, text) => {
    const found = errors(changes);
    expect(Object.keys(found)).toEqual([field]);
    expect(found[field]).toMatch(text);
  });

  it('lists all missing fields at once', () => {
    const found = errors({ smtp_user: 'apikey', smtp_subject: '', smtp_body: '' });
    expect(Object.keys(found).sort()).toEqual(['smtp_body', 'smtp_from', 'smtp_subject']);
  });
});

it('the text of a new template can be sent once the mail server is set, and contains the link to the list', () => {
  expect(templateErrors({ ...sendable, ...NEW_TEMPLATE })).toEqual({});
  expect(NEW_TEMPLATE.smtp_body).toContain('$$leads_link$$');
  for (const text of [NEW_TEMPLATE.smtp_subject, NEW_TEMPLATE.smtp_body])
    expect(unknownMacros(text, EMAIL_MACROS)).toEqual([]);
});
