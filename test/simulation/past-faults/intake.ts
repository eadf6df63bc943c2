/** Faults of how leads are taken in. */
import type { PastFault } from '#test/simulation/past-faults/past-fault';

export const INTAKE_FAULTS: readonly PastFault[] = [
  {
    name: 'who did not store the lead distributes it',
    replacements: [
      {
        file: 'functions/domain/distribution/distribution.ts',
        from: `if (before !== undefined) return { status: 'overtaken', lead_id: leadId };`,
        to: '',
      },
    ],
  },
  {
    name: 'a request whose lead was taken over is answered as refused',
    replacements: [
      {
        file: 'functions/domain/distribution/distribution.ts',
        from: `if (!(await leadStore.removeReceived(context, wanted))) return { status: 'overtaken', lead_id: leadId };`,
        to: 'await leadStore.removeReceived(context, wanted);',
      },
    ],
  },
  {
    name: 'a request that slept stores its lead',
    replacements: [
      {
        file: 'functions/domain/distribution/distribution.ts',
        from: 'const isGivenUp = () => givenUpAt !== undefined && context.runtime.now() >= givenUpAt;',
        to: 'const isGivenUp = () => false;',
      },
    ],
  },
  {
    name: 'a repeated call takes the mark of an erased lead',
    replacements: [
      {
        file: 'functions/domain/sources/intake.ts',
        from: 'if (first === undefined || stored.erased_at !== undefined) return false;',
        to: 'if (first === undefined) return false;',
      },
    ],
  },
  {
    name: 'what is given back is counted twice after a lost answer',
    replacements: [
      {
        file: 'functions/data/sources/source-counts.ts',
        from: `const { ok } = await table.transact([
    {
      key,
      update: 'SET day_left = day_left + :leads, total_left = total_left + :leads',
      condition: '#day = :day',
      names: { '#day': 'day' },
      values: { ':leads': leads, ':day': day },
    },
  ]);`,
        to: `const { ok } = await table.update({
      key,
      update: 'SET day_left = day_left + :leads, total_left = total_left + :leads',
      condition: '#day = :day',
      names: { '#day': 'day' },
      values: { ':leads': leads, ':day': day },
    });`,
      },
    ],
  },
  {
    name: 'a lead that is passed over keeps its place in the mark',
    replacements: [
      {
        file: 'functions/data/leads/person-mark-store.ts',
        from: 'const gone = [...passed, ...(before === undefined ? [] : [before])]',
        to: 'const gone = [...(before === undefined ? [] : [before])]',
      },
    ],
  },
  {
    name: 'a lead that is stored late does not ask for its mark again',
    replacements: [
      {
        file: 'functions/domain/distribution/same-person.ts',
        from: 'const isLate = now.getTime() - Date.parse(lead.received_at) >= STORED_LATE_MS;',
        to: 'const isLate = false;',
      },
    ],
  },
  {
    name: 'a repeated call takes its lead over',
    replacements: [
      {
        file: 'functions/domain/sources/intake.ts',
        from: `const isRefused = earlier.status === 'received' && (await settleRepeated(context, source, earlier));
  const status = isRefused || earlier.status === 'duplicate' ? 'duplicate' : 'accepted';
  return { result: { status, lead_id }, isNew: false };`,
        to: `const isUnsettled = earlier.status === 'received' && earlier.earlier_leads === undefined;
  const person = isUnsettled ? await settlePerson(context, source, earlier) : undefined;
  const status = person === 'refused' || earlier.status === 'duplicate' ? 'duplicate' : 'accepted';
  const isTaken = typeof person === 'object' && person !== earlier;
  return { result: { status, lead_id }, isNew: false, ...(isTaken && { distribute: person }) };`,
      },
    ],
  },
];
