import { describe, expect, it } from 'vitest';
import { idText } from '#functions/channels/http-channel';
import { redact } from '#functions/channels/redact';
import { createTrackboxChannel } from '#functions/channels/trackbox';
import { aPayload } from '#test/factories/deliveries';
import { cipher } from '#test/factories/secrets';

describe('the stored answer', () => {
  it('contains no remainder of a secret that includes another one', () => {
    expect(redact('refused: geheim-123', ['geheim', 'geheim-123'])).toBe('refused: [removed]');
  });
  it.each([
    ['in PHP’s JSON escaping', String.raw`bad gehe\/im-gr\u00fcn!`, 'gehe/im-grün!'],
    ['in form encoding', 'bad a%21b+c%28d%29', 'a!b c(d)'],
  ])('contains no secret %s', (_, text, secret) => {
    expect(redact(text, [secret])).toBe('bad [removed]');
  });
  it('is text that the table accepts', () => {
    expect(redact(`x${' '.repeat(19_998)}\u{1f600}`).isWellFormed()).toBe(true);
    expect(idText('id-\ud83d')?.isWellFormed()).toBe(true);
  });
});

it.each(['Daily limit already reached', 'Cap already reached for this campaign'])(
  'TrackBox "%s" is not a duplicate',
  async (message) => {
    const channel = createTrackboxChannel({
      http: async () => ({ status: 200, headers: {}, body: JSON.stringify({ status: false, message }) }),
      cipher,
      scheme: 'https',
      phonePlus: false,
    });
    for (const afterUnknown of [false, true])
      expect((await channel.send(aPayload({ afterUnknown }), AbortSignal.timeout(1000))).outcome).toBe(
        'transient',
      );
  },
);
