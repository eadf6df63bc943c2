/** The checks of a lead: offline first, then the provider where one is configured. */
import type * as z from 'zod';
import type { Table } from '#functions/data/table';
import type { verificationEnvironment } from '#functions/environment';
import type { Runtime } from '#functions/runtime';
import { checkEmail, checkName, checkPhone } from '#functions/verification/offline';
import type { Checks } from '#functions/verification/verification';

export interface CheckDeps {
  readonly environment: z.output<typeof verificationEnvironment>;
  readonly runtime: Runtime;
  /** Keeps verdicts for a day. */
  readonly table: Table;
}

export function createChecks(_deps: CheckDeps): Checks {
  return {
    email: async ({ email }) => checkEmail(email),
    phone: async ({ telefon }) => checkPhone(telefon),
    name: async ({ vorname, nachname }) => checkName(vorname, nachname),
  };
}
