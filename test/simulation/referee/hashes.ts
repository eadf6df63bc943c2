/** The hashes of a person's contacts, computed without the product's functions. */
import { createHash, createHmac } from 'node:crypto';
import { type Item, text } from '#test/simulation/referee/facts';

const LENGTH = 21;

const keyed = (personKey: Uint8Array, what: string) =>
  createHmac('sha256', personKey).update(what).digest('base64url').slice(0, LENGTH);

export const saltedHash = (personKey: Uint8Array, contact: string) =>
  createHash('sha256')
    .update(`${keyed(personKey, 'salt')} ${contact}`)
    .digest('base64url');

export const hashesOf = (lead: Item, personKey: Uint8Array) =>
  [`phone ${text(lead, 'telefon')}`, `email ${text(lead, 'email').toLowerCase()}`].map((contact) =>
    keyed(personKey, saltedHash(personKey, contact)),
  );

/** The buyers that a mark names; 0 if nobody may get the person. */
export const knownBy = (mark: Item | undefined) =>
  Array.from((mark?.known ?? []) as Iterable<string>, (by) => Number(by.split('#')[0]));
