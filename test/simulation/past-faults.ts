/** The faults that simulated histories have found, by name, and how each is planted into today's code. */
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

/** No stored history shows it: Node.js answers a repeated import at once; only loaders such as tsx made histories wait for it. */
export const NOT_SHOWN = 'the phone number library is imported with every call';
