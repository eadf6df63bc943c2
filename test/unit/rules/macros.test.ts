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
  it('of mappings, e-mails and pushes are these', () => {
    expect(LEAD_MACROS).toEqual(
      names(`anrede vorname nachname email telefon anlagebetrag laufzeit src clickId lead_id order_lead_id
        order_id lead_sequence`),
    );
    expect(EMAIL_MACROS).toEqual(
      names(`anrede vorname nachname email telefon anlagebetrag laufzeit src order_lead_id order_id
        lead_sequence leads_link`),
    );
    expect(PUSH_MACROS).toEqual(
      names('status anrede vorname nachname email telefon anlagebetrag src buyer_id buyer_email date'),
    );
  });

  it('are replaced by their values, wherever and however often they occur', () => {
    const values = { vorname: 'Max', lead_id: '7', _x1: 'y' };
    expect(fillMacros('$$vorname$$, $$vorname$$$$lead_id$$$$_x1$$!', values)).toBe('Max, Max7y!');
  });

  it('without a value become empty, also by the name of what every object has', () => {
    expect(fillMacros('a$$unknown$$b$$constructor$$c', {})).toBe('abc');
  });

  it('are not replaced within a value', () => {
    expect(fillMacros('$$a$$', { a: '$$b$$ $& $1', b: 'no' })).toBe('$$b$$ $& $1');
  });

  it.each(['$$1a$$', '$a$', '$$a b$$', '$$$$', '$$a', '5$$ to 6$$'])('%j is none', (text) => {
    expect(fillMacros(text, { a: 'x', '1a': 'x' })).toBe(text);
    expect(unknownMacros(text, [])).toEqual([]);
  });

  it.each(['leads-link', 'straße', ' vorname ', 'a.b', '-'])('%j is meant as one and unknown', (name) => {
    expect(unknownMacros(`$$${name}$$ $$vorname$$`, LEAD_MACROS)).toEqual([name]);
  });

  it('have values that are made safe, the text around them is not', () => {
    expect(fillMacros('<b>$$a$$</b>$$none$$', { a: '<i>' }, escapeHtml)).toBe('<b>&lt;i&gt;</b>');
    expect(fillMacros('$$none$$', {}, (value) => `[${value}]`)).toBe('[]');
  });

  it('that are not allowed are named once, in order', () => {
    expect(unknownMacros('$$b$$ $$vorname$$ $$a$$ $$b$$', ['vorname'])).toEqual(['b', 'a']);
    expect(unknownMacros('$$vorname$$', LEAD_MACROS)).toEqual([]);
  });
});

it('the published pattern finds a macro that is not allowed exactly where the check does', () => {
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
  it('shows every character and is no markup', () => {
    expect(escapeHtml(`&<>"'&<>"'`)).toBe('&amp;&lt;&gt;&quot;&#39;&amp;&lt;&gt;&quot;&#39;');
  });

  it('is the same again when a browser reads it', () => {
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

it('has one space for any run of line breaks in a subject', () => {
  expect(singleLine('a\r\nBcc: x\n\n\u2028\u2029b\rc d')).toBe('a Bcc: x b c d');
});
