/** An address's state depends on neither the order nor the repetition of its events. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bounceOf, sesMessageId } from '#functions/channels/bounce';
import {
  type Address,
  type AddressEvent,
  isClosed,
  MAX_EVENTS,
  stateOf,
  withEvent,
  withoutEvents,
} from '#functions/data/deliveries/address';
import { withoutAddresses } from '#functions/domain/common/addresses';
import { readMailEvent } from '#functions/domain/deliveries/mail-events';
import { bounceEvent } from '#local/ses-events';
import { ADDRESS_STATES, BOUNCE_REPORTERS } from '#shared/rules/constants';

type Notified =
  | { readonly event: AddressEvent }
  | { readonly how: 'works_since' | 'taken_since'; readonly at: string };

const instant = fc.integer({ min: 0, max: 9 }).map((minute) => new Date(minute * 60_000).toISOString());
const notified: fc.Arbitrary<Notified> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      event: fc.record({
        id: fc.uuid(),
        state: fc.constantFrom(...ADDRESS_STATES),
        at: instant,
        by: fc.constantFrom(...BOUNCE_REPORTERS),
        code: fc.constantFrom(null, '5.1.1'),
        diagnostic: fc.constant(null),
      }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      how: fc.constantFrom('works_since' as const, 'taken_since' as const),
      at: instant,
    }),
  },
);
const hear = (address: Address, one: Notified) =>
  'event' in one ? withEvent(address, one.event) : withoutEvents(address, one.how, one.at);
const after = (all: readonly Notified[]) => all.reduce(hear, { events: [] });

describe('the state of an address', () => {
  it('does not depend on the order or repetition of its events', () => {
    fc.assert(
      fc.property(
        fc
          .array(notified, { maxLength: 40 })
          .chain((all) =>
            fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 })),
          ),
        ([all, again]) => {
          expect(after(again)).toEqual(after(all));
        },
      ),
    );
  });

  it('is the worst event since the address last worked', () => {
    fc.assert(
      fc.property(fc.array(notified, { maxLength: 25 }), (all) => {
        const since = (how: string) =>
          all.reduce((last, one) => ('how' in one && one.how === how && one.at > last ? one.at : last), '');
        const counted = all.flatMap((one) =>
          'event' in one &&
          one.event.at > since('works_since') &&
          (one.event.by === 'ses' || one.event.at > since('taken_since'))
            ? [one.event]
            : [],
        );
        const state = ADDRESS_STATES.findLast((name) => counted.some((event) => event.state === name));
        const of = counted
          .filter((event) => event.state === state)
          .map(({ at }) => at)
          .toSorted();
        const found = stateOf(after(all));
        expect(found?.state).toBe(state);
        if (found === undefined) return;
        expect([found.first_at, found.last_at]).toEqual([of[0], of.at(-1)]);
        expect(found.count).toBe(Math.min(of.length, MAX_EVENTS));
        expect(isClosed(found)).toBe(state !== 'bounced_soft');
      }),
    );
  });
});

describe('a mail server response', () => {
  it.each([
    ['RCPT TO', 550, '550 5.1.1 Mailbox unavailable', { hard: true, code: '5.1.1' }],
    ['RCPT TO', 550, '550 no such user', { hard: true, code: '550' }],
    ['RCPT TO', 552, '552 over quota', { hard: false, code: '552' }],
    ['RCPT TO', 550, '550 5.2.1 disabled', { hard: true, code: '5.2.1' }],
    ['DATA', 554, '554 5.2.2 mailbox full', { hard: false, code: '5.2.2' }],
    ['DATA', 550, '550 5.1.10 null MX', { hard: true, code: '5.1.10' }],
    ['DATA', 550, '550 we do not like this', undefined],
    ['RCPT TO', 550, '550 5.7.1 relaying denied', undefined],
    ['RCPT TO', 550, '550 5.1.8 bad sender', undefined],
    ['RCPT TO', 554, '554 go away', undefined],
    ['RCPT TO', 450, '450 4.2.0 greylisted', undefined],
    ['MAIL FROM', 550, '550 5.1.7 sender', undefined],
    ['RCPT TO', null, '', undefined],
  ] as const)('to %s: %s %s', (command, status, response, bounce) => {
    expect(bounceOf(command, status, response)).toEqual(bounce);
  });

  it('contains the message ID if the server is SES', () => {
    const id = '0102018f3c7a1b2c-1a2b3c4d-1a2b-3c4d-5e6f-0123456789ab-000000';
    expect(sesMessageId(`250 Ok ${id}`)).toBe(id);
    expect(sesMessageId('250 2.0.0 OK: queued as 4XyZ')).toBeNull();
  });
});

describe('an SES event', () => {
  const event = bounceEvent({ to: ['a@b.example'], messageId: '<x@y>' }, 'id', new Date(0));
  it('is parsed with unknown fields, and everything else is rejected', () => {
    expect(readMailEvent({ ...event, new: 1 })).toMatchObject({ eventType: 'Bounce' });
    for (const wrong of [
      null,
      'Bounce',
      { ...event, eventType: 'Open' },
      { ...event, bounce: { ...event.bounce, timestamp: 'yesterday' } },
      { ...event, bounce: { ...event.bounce, bouncedRecipients: [{}] } },
      { ...event, mail: {} },
    ])
      expect(readMailEvent(wrong)).toBeUndefined();
  });

  it('is stored without e-mail addresses', () => {
    expect(withoutAddresses('smtp; 550 5.1.1 <max.muster@example.org>: unknown\n(max@x)')).toBe(
      'smtp; 550 5.1.1 <[address]>: unknown ([address])',
    );
  });
});
