/** The faults that simulated histories have found. */
import { CLAIM_FAULTS } from '#test/simulation/past-faults/claims';
import { DISTRIBUTION_FAULTS } from '#test/simulation/past-faults/distribution';
import { INTAKE_FAULTS } from '#test/simulation/past-faults/intake';
import { ORDER_FAULTS } from '#test/simulation/past-faults/orders';
import { OTHER_FAULTS } from '#test/simulation/past-faults/others';
import type { PastFault } from '#test/simulation/past-faults/past-fault';

export const PAST_FAULTS: readonly PastFault[] = [
  ...INTAKE_FAULTS,
  ...DISTRIBUTION_FAULTS,
  ...ORDER_FAULTS,
  ...CLAIM_FAULTS,
  ...OTHER_FAULTS,
];
