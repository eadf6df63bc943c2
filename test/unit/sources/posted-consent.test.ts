/** The consent of a posted lead: as an object or as single fields, by the source's names and with its defaults. */
import { describe, expect, it } from 'vitest';
import { readPosted } from '#functions/api/intake/posted';
import type { Source } from '#functions/data/sources/source';
import { aPostedLead } from '#test/factories/sources';

const NOW = new Date('2026-06-01T10:00:00Z');
const V1 = { id: 'v1', hash: 'hash of v1', created_at: '2026-01-01T00:00:00.000Z' };

function read(row: object, settings: Partial<Pick<Source, 'mapping' | 'defaults'>> = {}) {
  const source = { mapping: {}, defaults: {}, consent: 'ignore' as const, consent_texts: [V1], ...settings };
  const answer = readPosted(source, { ...aPostedLead(), ...row }, NOW);
  if ('trapped' in answer) throw new Error('trapped');
  if ('unreadable' in answer) return answer.unreadable.fields;
  return answer.unless?.fields ?? answer.posted.consent?.consent;
}

const NESTED = {
  given_at: '2026-06-01T11:58:00+02:00',
  method: 'form',
  channels: ['phone', 'email'],
  text_id: 'v1',
};
const RECORD = {
  given_at: '2026-06-01T09:58:00.000Z',
  method: 'form',
  channels: ['phone', 'email'],
  text: 'hash of v1',
};
const FLAT = {
  consent_given_at: '2026-06-01T09:58:00Z',
  consent_method: 'form',
  consent_channels: 'phone, email',
  consent_text_id: 'v1',
};

describe('a consent', () => {
  it('is the same as an object and as single fields', () => {
    expect(read({ consent: NESTED })).toEqual(RECORD);
    expect(read(FLAT)).toEqual(RECORD);
  });

  it.each(['phone,email', 'phone; email', ' phone email ', ['phone', 'email', 'phone']])(
    'has the channels %j',
    (channels) => {
      expect(read({ ...FLAT, consent_channels: channels })).toEqual(RECORD);
    },
  );

  it('has the names and the defaults of the source, of which the moment is sent', () => {
    const mapping = { consent_given_at: 'optin_time' };
    const { consent_given_at, ...defaults } = FLAT;
    expect(read({ optin_time: consent_given_at }, { mapping, defaults })).toEqual(RECORD);
  });

  it.each([{}, { consent_given_at: '' }, { consent_given_at: null }, { consent: 'on' }, { consent: ['x'] }])(
    'does not come from defaults alone: %j',
    (row) => {
      expect(read(row, { defaults: FLAT })).toBeUndefined();
    },
  );

  it('has the wording that was sent in place of the default one', () => {
    const sent = { consent_given_at: FLAT.consent_given_at, consent_text: 'Ja, bitte.' };
    expect(read(sent, { defaults: FLAT })).toMatchObject({ text: expect.not.stringMatching(/^hash/) });
  });

  it('is refused as both an object and single fields', () => {
    expect(read({ consent: NESTED, consent_ip: '203.0.113.7' })).toEqual({
      consent: 'Send a consent either as one object or as single fields',
    });
  });

  const OWN = { mapping: { consent_given_at: 'optin_time', consent_ip: 'client' }, defaults: {} };
  it.each([
    [{ optin_time: '2026-06-01T10:03:00Z' }, ['optin_time']],
    [{ optin_time: 'gestern' }, ['optin_time']],
    [{ optin_time: '0000-01-01T00:00:00+14:00' }, ['optin_time']],
    [{ consent: [{}] }, ['consent']],
    [{ optin_time: '24.11.2026 14:03' }, ['optin_time']],
    [{ client: '999.0.0.1' }, ['client']],
    [{ consent_channels: '' }, ['consent_channels']],
    [{ consent_channels: ' , ' }, ['consent_channels']],
    [{ consent_channels: 'fax' }, ['consent_channels']],
    [{ consent_method: 'spoken' }, ['consent_method']],
    [{ consent_text_id: 'v9' }, ['consent_text_id']],
    [{ consent_text_id: '' }, ['consent_text']],
    [{ consent_text: 'Ja, bitte.' }, ['consent_text']],
    [{ consent_text_id: '', consent_text: 'x'.repeat(4001) }, ['consent_text']],
    [{ consent_confirmed_at: '2026-06-01T09:00:00Z' }, ['consent_confirmed_at']],
    [{ consent_confirmed_at: '2026-06-02T09:00:00Z' }, ['consent_confirmed_at']],
    [{ consent_page_url: 'javascript:alert(1)' }, ['consent_page_url']],
    [{ consent_proof_url: 'ftp://example.com/x' }, ['consent_proof_url']],
    [{ consent_confirmed_ip: '1.2.3' }, ['consent_confirmed_ip']],
  ])('names the wrong fields as the source does: %j', (change, fields) => {
    const { consent_given_at, ...others } = FLAT;
    expect(Object.keys(read({ optin_time: consent_given_at, ...others, ...change }, OWN) ?? {})).toEqual(
      fields,
    );
  });

  it.each([
    [{ given_at: '2026-06-01T10:03:00Z' }, 'consent.given_at'],
    [{ channels: [] }, 'consent.channels'],
    [{ text: 'both' }, 'consent.text'],
    [{ ip: '1' }, 'consent.ip'],
  ])('names the wrong fields of an object: %j', (change, field) => {
    expect(Object.keys(read({ consent: { ...NESTED, ...change } }) ?? {})).toEqual([field]);
  });

  it('has addresses, of the person and of web pages', () => {
    const more = {
      consent_ip: '2001:db8::7',
      consent_confirmed_ip: '203.0.113.7',
      consent_page_url: 'https://example.org/form?x=1#top',
      consent_proof_url: 'http://example.org/1',
    };
    expect(read({ ...FLAT, ...more })).toEqual({
      ...RECORD,
      ip: '2001:db8::7',
      confirmed_ip: '203.0.113.7',
      page_url: 'https://example.org/form?x=1#top',
      proof_url: 'http://example.org/1',
    });
  });
});

describe('a form that still shows a retired wording', () => {
  const posted = (consent: Source['consent'], visitor?: string) => {
    const source = { mapping: {}, defaults: {}, consent, consent_texts: [V1] };
    const row = { ...aPostedLead(), ...FLAT, consent_text_id: 'v0' };
    const answer = readPosted(source, row, NOW, visitor);
    return 'posted' in answer ? answer : undefined;
  };

  it.each(['ignore', 'hold'] as const)('brings its lead without consent to a source with %s', (consent) => {
    expect(posted(consent, '192.0.2.7')).toEqual({ posted: expect.objectContaining({ consent: undefined }) });
  });

  it('is refused by a source that requires a consent, like every program that names the wording', () => {
    for (const answer of [posted('require', '192.0.2.7'), posted('hold')])
      expect(answer?.unless?.fields).toEqual({ consent_text_id: 'The source has no wording with this ID' });
  });
});
