import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  EMAIL_MACROS,
  escapeHtml,
  fillMacros,
  LEAD_MACROS,
  PUSH_MACROS,
  singleLine,
  unknownMacroPattern,
  unknownMacros,
} from '#shared/rules/macros';

const names = (text: string) => text.trim().split(/\s+/);

describe('the macros', () => {
  it('are the documented ones for mappings, e-mails and pushes', () => {
    expect(LEAD_MACROS).toEqual(
      names(`anrede vorname nachname email telefon anlagebetrag laufzeit src clickId lead_id order_lead_id
        order_id lead_sequence consent_given_at consent_method consent_channels consent_text consent_page_url
        consent_confirmed_at consent_proof_url`),
    );
    expect(EMAIL_MACROS).toEqual(
      names(`anrede vorname nachname email telefon anlagebetrag laufzeit src order_lead_id order_id
        lead_sequence consent_given_at consent_method consent_channels consent_text consent_page_url
        consent_confirmed_at consent_proof_url leads_link`),
    );
    expect(PUSH_MACROS).toEqual(
      names('status anrede vorname nachname email telefon anlagebetrag src buyer_id buyer_email date'),
    );
  });

  it('are replaced by their values at every occurrence', () => {
    const values = { vorname: 'Max', lead_id: '7', _x1: 'y' };
    expect(fillMacros('$$vorname$$, $$vorname$$$$lead_id$$$$_x1$$!', values)).toBe('Max, Max7y!');
  });

  it('without a value become empty, even with a name like an object’s built-in property', () => {
    expect(fillMacros('a$$unknown$$b$$constructor$$c', {})).toBe('abc');
  });

  it('are not replaced inside values', () => {
    expect(fillMacros('$$a$$', { a: '$$b$$ $& $1', b: 'no' })).toBe('$$b$$ $& $1');
  });

  it.each(['$$1a$$', '$a$', '$$a b$$', '$$$$', '$$a', '5$$ to 6$$'])('%j is not a macro', (text) => {
    expect(fillMacros(text, { a: 'x', '1a': 'x' })).toBe(text);
    expect(unknownMacros(text, [])).toEqual([]);
  });

  it.each(['leads-link', 'straße', ' vorname ', 'a.b', '-'])('%j is an unknown macro', (name) => {
    expect(unknownMacros(`$$${name}$$ $$vorname$$`, LEAD_MACROS)).toEqual([name]);
  });

  it('have escaped values, but the text around them stays', () => {
    expect(fillMacros('<b>$$a$$</b>$$none$$', { a: '<i>' }, escapeHtml)).toBe('<b>&lt;i&gt;</b>');
    expect(fillMacros('$$none$$', {}, (value) => `[${value}]`)).toBe('[]');
  });

  it('that are not allowed are listed once, in order', () => {
    expect(unknownMacros('$$b$$ $$vorname$$ $$a$$ $$b$$', ['vorname'])).toEqual(['b', 'a']);
    expect(unknownMacros('$$vorname$$', LEAD_MACROS)).toEqual([]);
  });
});

it('the published pattern agrees with the check for forbidden macros', () => {
  const piece = fc.constantFrom('$$', '$', 'email', 'src', 'x', '1', '-', ' ', '\n', '$$email$$', '$$x$$');
  const pattern = new RegExp(unknownMacroPattern(['email', 'src']));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const text = pieces.join('');
      expect(pattern.test(text)).toBe(unknownMacros(text, ['email', 'src']).length > 0);
    }),
    { numRuns: 1000 },
  );
});

describe('a value in HTML', () => {
  it('shows every character without markup', () => {
    expect(escapeHtml(`&<>"'&<>"'`)).toBe('&amp;&lt;&gt;&quot;&#39;&amp;&lt;&gt;&quot;&#39;');
  });

  it('is preserved when a browser parses it', () => {
    const read = (html: string) =>
      html.replaceAll(
        /&(?:amp|lt|gt|quot|#39);/g,
        (entity) => ({ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" })[entity] ?? '',
      );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('&', '<', '>', '"', "'", 'a', ';', '#') }), (value) => {
        expect(read(escapeHtml(value))).toBe(value);
        expect(escapeHtml(value)).not.toMatch(/[<>"']/);
      }),
    );
  });
});

it('has one space for each run of line breaks in a subject', () => {
  expect(singleLine('a\r\nBcc: x\n\n\u2028\u2029b\rc d')).toBe('a Bcc: x b c d');
});
