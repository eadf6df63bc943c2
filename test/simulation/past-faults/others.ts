/** Faults of deliveries, of access, and of the simulation itself. */
import { type Faults, swap } from '#test/simulation/bundle';

export const OTHER_FAULTS: Faults = {
  'unreported failures are not checked': swap(
    'functions/domain/deliveries/requeue.ts',
    ' + (await requeueUnreported(context, now))',
    '',
  ),
  'the lease to notify the operator outlives its dead holder': [
    ...swap(
      'functions/domain/deliveries/deliveries.ts',
      'const NOTIFY_LEASE_SECONDS = 60;',
      'const NOTIFY_LEASE_SECONDS = 3600;',
    ),
    ...swap(
      'functions/data/deliveries/dedup-markers.ts',
      `return written.item?.by === undefined ? 'sent' : 'busy';`,
      `return 'sent';`,
    ),
  ],
  'the link of a reset admin ends when passkeys are required': swap(
    'functions/domain/administration/passkeys.ts',
    'canLogIn(admin) && !having.has(admin.username)',
    '!having.has(admin.username)',
  ),
  'the use of an invitation is not guarded': swap(
    'functions/domain/administration/admin-access.ts',
    `return changeAccess(context, undefined, async (admins) => {
    const invitation`,
    `return retryOnConflict(context.runtime, async () => {
    const admins = await sessionStore.admins(context);
    const invitation`,
    'return { writes, answer: admin };',
    'return (await context.table.transact(writes)).ok ? admin : CONFLICT;',
  ),
  'the clock is read after every answer of a partner': swap(
    'functions/channels/http-channel.ts',
    `const value = headers['retry-after']`,
    `const now = Date.now(), value = headers['retry-after']`,
    '|| Date.now()',
    '|| now',
  ),
  'the phone number library is imported with every call': swap(
    'functions/channels/phone.ts',
    `lazy(() => import('libphonenumber-js/min'))`,
    `() => import('libphonenumber-js/min')`,
  ),
};
