/** Faults of the ingestion of leads. */
import { type Faults, swap } from '#test/simulation/bundle';

export const INTAKE_FAULTS: Faults = {
  'a call distributes a lead that it did not store': swap(
    'functions/domain/distribution/distribution.ts',
    'if (before !== undefined) return { status',
    'if (false) return { status',
  ),
  'a request whose lead was taken over is answered as rejected': swap(
    'functions/domain/distribution/distribution.ts',
    `if (!(await leadStore.removeReceived(context, lead))) return { status: 'overtaken', lead_id } as const;`,
    'await leadStore.removeReceived(context, lead);',
  ),
  'a delayed request stores its lead': swap(
    'functions/domain/distribution/distribution.ts',
    'givenUpAt !== undefined &&',
    'false &&',
  ),
  'a repeated call takes the fingerprint of an erased lead': swap(
    'functions/domain/sources/intake.ts',
    ' || stored.erased_at !== undefined',
    '',
  ),
  'a released limit is counted twice after a lost answer': swap(
    'functions/data/sources/source-counts.ts',
    `const { ok } = await table.transact([
    {
      key,
      update: 'SET day_left = day_left + :leads, total_left`,
    `const { ok } = await table.update(...[
    {
      key,
      update: 'SET day_left = day_left + :leads, total_left`,
  ),
  'a skipped lead keeps its position in the fingerprint': swap(
    'functions/data/leads/person-fingerprint-store.ts',
    '[...passed, ...',
    '[...',
  ),
  'a lead that is stored late does not take its fingerprint again': swap(
    'functions/domain/distribution/same-person.ts',
    'const isLate =',
    'const isLate = false &&',
  ),
  'a repeated call takes its lead over': swap(
    'functions/domain/sources/intake.ts',
    `const isRefused = earlier.status === 'received' && (await resolveRepeated(context, source, earlier));
  const status = isRefused ? 'duplicate' : refusedAs(earlier);
  return { result: { status, lead_id, ...consents }, isNew: false };`,
    `const isUnsettled = earlier.status === 'received' && earlier.earlier_leads === undefined;
  const person = isUnsettled ? await resolvePerson(context, source, earlier) : undefined;
  const status = person === 'refused' ? 'duplicate' : refusedAs(earlier);
  const isTaken = typeof person === 'object' && person !== earlier;
  return { result: { status, lead_id, ...consents }, isNew: false, ...(isTaken && { distribute: person }) };`,
  ),
};
