import { describe, expect, it } from 'vitest';
import { intentOf } from '#frontend/admin/shell/intents';

describe('the intent of a command', () => {
  it.each([
    ['limit of nordwert to 50', { kind: 'limit', buyer: 'nordwert', limit: '50' }],
    ['Limit nordwert 50', { kind: 'limit', buyer: 'nordwert', limit: '50' }],
    ['limit of nordwert to', { kind: 'limit', buyer: 'nordwert', limit: '' }],
    ['limit of nordwert', { kind: 'limit', buyer: 'nordwert', limit: '' }],
    ['limit for 4711 to 1.000', { kind: 'limit', buyer: '4711', limit: '1.000' }],
    ['limit', { kind: 'limit', buyer: '', limit: '' }],
    ['  pause  petersen ', { kind: 'pause', buyer: 'petersen' }],
    ['pause', { kind: 'pause', buyer: '' }],
    ['resume petersen', { kind: 'resume', buyer: 'petersen' }],
    ['resend failed of petersen', { kind: 'resend', buyer: 'petersen' }],
    ['resend petersen', { kind: 'resend', buyer: 'petersen' }],
    ['new order for petersen', { kind: 'order', buyer: 'petersen' }],
    ['new order for', { kind: 'order', buyer: '' }],
    ['create order petersen', { kind: 'order', buyer: 'petersen' }],
  ])('%s', (text, intent) => {
    expect(intentOf(text)).toEqual(intent);
  });

  it.each(['nordwert', 'limits', 'pausenbrot', 'create order', 'new', ''])(
    'does not exist for: %s',
    (text) => {
      expect(intentOf(text)).toBeUndefined();
    },
  );
});
