/** Faults of deliveries, of who may log in, and of what a history may not do. */
import type { PastFault } from '#test/simulation/past-faults/past-fault';

export const OTHER_FAULTS: readonly PastFault[] = [
  {
    name: 'nobody looks for failures that the operator was not told of',
    replacements: [
      {
        file: 'functions/domain/deliveries/requeue.ts',
        from: 'return (await requeueOf(context, lost)) + (await requeueUnreported(context, now));',
        to: 'return requeueOf(context, lost);',
      },
    ],
  },
  {
    name: 'the right to tell the operator dies with its holder',
    replacements: [
      {
        file: 'functions/domain/deliveries/deliveries.ts',
        from: 'const TELL_LEASE_SECONDS = 60;',
        to: 'const TELL_LEASE_SECONDS = 3600;',
      },
      {
        file: 'functions/data/deliveries/dedup-markers.ts',
        from: `return written.item?.by === undefined ? 'sent' : 'busy';`,
        to: `return 'sent';`,
      },
    ],
  },
  {
    name: 'the link of a reset admin ends when passkeys are demanded',
    replacements: [
      {
        file: 'functions/domain/administration/passkeys.ts',
        from: 'canLogIn(admin) && !having.has(admin.username)',
        to: '!having.has(admin.username)',
      },
    ],
  },
  {
    name: 'the use of an invitation is not guarded',
    replacements: [
      {
        file: 'functions/domain/administration/admin-access.ts',
        from: `return changeAccess(context, undefined, async (admins) => {
    const invitation`,
        to: `return retryOnConflict(context.runtime, async () => {
    const admins = await sessionStore.admins(context);
    const invitation`,
      },
      {
        file: 'functions/domain/administration/admin-access.ts',
        from: 'return { writes, answer: admin };',
        to: 'return (await context.table.transact(writes)).ok ? admin : CONFLICT;',
      },
    ],
  },
  {
    name: 'the clock is read after every answer of a partner',
    replacements: [
      {
        file: 'functions/channels/http-channel.ts',
        from: `const value = headers['retry-after']?.trim() ?? '';`,
        to: `const now = Date.now();
  const value = headers['retry-after']?.trim() ?? '';`,
      },
      {
        file: 'functions/channels/http-channel.ts',
        from: '|| Date.now()',
        to: '|| now',
      },
    ],
  },
  {
    name: 'the library of phone numbers is imported with every call',
    notShown:
      'Node.js answers an import that was made before at once; only loaders such as tsx made histories wait for it.',
    replacements: [
      {
        file: 'functions/channels/phone.ts',
        from: `const numberPlans = lazy(() => import('libphonenumber-js/min'));`,
        to: `const numberPlans = () => import('libphonenumber-js/min');`,
      },
    ],
  },
];
