import { randomBytes } from 'node:crypto';
import { createCipher } from '#functions/keys/cipher';

export const cipher = createCipher([{ id: 'test', key: randomBytes(32) }]);

/** Secrets planted in the settings of buyers and templates; they must appear nowhere. */
export const SECRETS = {
  smtp: 'smtp-Geheim-8271!',
  trackboxPassword: 'box-Geheim-5521?',
  trackboxKey: 'box-key-99ab77cd',
  heroleadsKey: 'hero-key-1234abcd',
  sellanyleadKey: 'sell-key-777aaa',
  httpSecret: 'http-Geheim-3391',
} as const;
