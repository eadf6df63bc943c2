/** Faults found by simulated histories, by name, with replacements that plant them into the current code. */
import type { Faults } from '#test/simulation/bundle';
import { CLAIM_FAULTS } from '#test/simulation/past-faults/claims';
import { DISTRIBUTION_FAULTS } from '#test/simulation/past-faults/distribution';
import { INTAKE_FAULTS } from '#test/simulation/past-faults/intake';
import { ORDER_FAULTS } from '#test/simulation/past-faults/orders';
import { OTHER_FAULTS } from '#test/simulation/past-faults/others';

export const PAST_FAULTS: Faults = {
  ...INTAKE_FAULTS,
  ...DISTRIBUTION_FAULTS,
  ...ORDER_FAULTS,
  ...CLAIM_FAULTS,
  ...OTHER_FAULTS,
};

/** No stored history shows it, because Node.js answers a repeated import immediately; only loaders such as tsx are slow. */
export const NOT_SHOWN = 'the phone number library is imported with every call';
