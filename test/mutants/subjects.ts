/** The tests that judge each part of the code: those of its own subject, not all that execute it. */

export interface Subject {
  /** The code: folders end with a slash. */
  readonly code: readonly string[];
  /**
   * In this order, so the most effective tests for their time come first. Folders end with a slash; files are named
   * without `.test.ts`. Those in `test/integration` must run on the in-memory table (`TEST_ENGINE=memory`).
   */
  readonly tests: readonly string[];
  /** Whether to mutate strings and code that runs while modules load. The latter needs a separate process for each mutant. */
  readonly pure?: boolean;
  /** The score in percent below which a run fails: the goal of 85, or less until it is reached. */
  readonly atLeast: number;
}

const of = (name: string): string[] => [`functions/domain/${name}/`, `functions/data/${name}/`];

export const SUBJECTS: Readonly<Record<string, Subject>> = {
  rules: {
    code: ['shared/rules/'],
    tests: [
      'test/unit/rules/',
      'test/unit/claims/claim-evidence-rules',
      'test/unit/claims/automatic-decisions',
      'test/unit/claims/terms-of-claims',
      'test/unit/claims/working-days',
      'test/unit/leads/search-text',
    ],
    pure: true,
    atLeast: 87,
  },
  distribution: {
    code: of('distribution'),
    tests: [
      'test/unit/distribution/eligibility',
      'test/unit/distribution/verification',
      'test/unit/distribution/intake',
      'test/unit/distribution/capacity-ahead',
      'test/unit/distribution/pool-and-batch-stores',
      'test/unit/distribution/recompute-decisions',
      'test/unit/distribution/batch-passes',
      'test/unit/distribution/share-rule',
      'test/unit/distribution/ledger',
      'test/unit/distribution/one-batch',
      'test/unit/distribution/reconciliation',
      'test/unit/distribution/same-person',
      // Those that state a rule of single leads each, before the many ways to the same end.
      'test/integration/distribution/distribute-again',
      'test/integration/distribution/distribute-leads',
      'test/integration/distribution/order-changes-during-verification',
      'test/integration/leads/idempotent-intake',
      'test/unit/distribution/paced-orders',
      'test/unit/distribution/backlog',
      'test/unit/distribution/ingest-many',
      'test/unit/distribution/batches',
      'test/unit/distribution/due-jobs',
      'test/unit/deliveries/refusals',
      'test/unit/sources/dry-run',
      'test/integration/sources/same-person',
      'test/integration/distribution/assign-reviewed-leads',
      'test/integration/distribution/repeated-writes',
      'test/integration/buyers/weights-of-several-buyers',
      'test/integration/orders/order-preview',
      'test/integration/verification/verification-providers',
    ],
    atLeast: 85,
  },
  orders: {
    code: of('orders'),
    tests: [
      'test/unit/orders/orders',
      'test/unit/orders/',
      'test/unit/claims/review-claims',
      'test/unit/distribution/batches',
      'test/unit/distribution/one-batch',
      'test/unit/distribution/batch-passes',
      'test/unit/distribution/ingest-many',
      'test/unit/distribution/reconciliation',
      'test/unit/distribution/paced-orders',
      'test/unit/deliveries/refusals',
      'test/unit/leads/leads',
      'test/integration/orders/',
      'test/integration/buyers/',
      'test/integration/distribution/repeated-writes',
      'test/integration/administration/audit-trail',
      'test/integration/distribution/distribute-leads',
    ],
    atLeast: 85,
  },
  claims: {
    code: of('claims'),
    // Tests of single rules first, because searches would use up the trials of a change.
    tests: [
      'test/unit/claims/claim-store',
      'test/unit/claims/terms-of-claims',
      'test/unit/claims/review-claims',
      'test/unit/claims/decide-claims',
      'test/unit/claims/claims-for-admins',
      'test/unit/claims/evidence',
      'test/unit/claims/',
      'test/unit/leads/leads',
      'test/integration/claims/file-and-decide-claims',
    ],
    atLeast: 85,
  },
  sources: {
    code: [...of('sources'), ...of('webhooks')],
    // Without crashes at every call and random orders of calls, which take seconds each.
    tests: [
      'test/unit/sources/sources',
      'test/unit/sources/counts',
      'test/unit/sources/one-callback',
      'test/unit/sources/endpoints',
      'test/unit/sources/dry-run',
      'test/unit/sources/webhooks',
      'test/unit/sources/callbacks',
      'test/integration/sources/',
    ],
    atLeast: 90,
  },
  http: { code: ['functions/http/'], tests: ['test/unit/http/'], pure: true, atLeast: 89 },
  leads: {
    code: of('leads'),
    tests: [
      'test/integration/leads/erase-people',
      'test/unit/leads/',
      'test/integration/leads/',
      'test/unit/distribution/same-person',
      'test/unit/distribution/reconciliation',
      'test/unit/distribution/paced-orders',
      'test/unit/deliveries/refusals',
      'test/unit/claims/review-claims',
      'test/unit/sources/crash-during-intake',
      'test/integration/sources/same-person',
      'test/integration/distribution/distribute-again',
      'test/integration/distribution/repeated-writes',
    ],
    atLeast: 85,
  },
  deliveries: {
    code: of('deliveries'),
    // Without the thousand leads to failing destinations and the random workers, because others detect the same in a hundredth of the
    // time.
    tests: [
      'test/unit/deliveries/delivery-lists',
      'test/unit/deliveries/delivery-guards',
      'test/unit/deliveries/operator-notices',
      'test/unit/deliveries/addresses',
      'test/unit/deliveries/retry-schedule',
      'test/unit/deliveries/requeue',
      'test/unit/deliveries/test-delivery',
      'test/unit/deliveries/wrong-clocks',
      'test/unit/deliveries/attempts',
      'test/unit/deliveries/notifications',
      'test/integration/deliveries/circuit-breaker',
      'test/integration/deliveries/deliver-leads',
      // Includes `refusals`, after the others because its many paths would use up the trials of every delivery's code.
      'test/unit/deliveries/',
      'test/integration/deliveries/lost-answers-and-messages',
      'test/integration/deliveries/delivery-log',
      'test/integration/deliveries/notifications',
      'test/integration/deliveries/bounces',
      'test/integration/orders/notification-preferences',
      'test/integration/leads/erase-people',
      'test/integration/administration/settings',
    ],
    atLeast: 88,
  },
  buyers: {
    code: of('buyers'),
    tests: [
      'test/unit/buyers/',
      'test/unit/claims/decide-claims',
      'test/unit/claims/review-claims',
      'test/integration/buyers/',
      'test/integration/orders/manage-buyers-and-orders',
      'test/unit/frontend/probability-check',
    ],
    atLeast: 93,
  },
  alerts: {
    code: of('alerts'),
    tests: ['test/unit/alerts/', 'test/integration/alerts/'],
    atLeast: 95,
  },
  statistics: {
    code: of('statistics'),
    tests: [
      'test/unit/statistics/',
      'test/unit/orders/statement',
      'test/unit/deliveries/refusals',
      'test/integration/statistics/accounting',
    ],
    atLeast: 87,
  },
  administration: {
    code: [...of('administration'), 'functions/domain/common/'],
    tests: [
      'test/unit/administration/',
      'test/unit/http/errors',
      'test/unit/buyers/',
      'test/unit/deliveries/addresses',
      'test/unit/distribution/due-jobs',
      'test/unit/claims/review-claims',
      'test/integration/administration/',
      'test/integration/deliveries/bounces',
    ],
    atLeast: 87,
  },
  table: {
    code: ['functions/data/table/', 'functions/data/personal.ts', 'functions/data/context.ts'],
    // The stores, whose reads and writes use all of it on the in-memory table.
    tests: [
      'test/unit/table/',
      'test/unit/leads/personal-data',
      'test/unit/orders/order-stores',
      'test/unit/orders/reservations',
      'test/unit/deliveries/delivery-lists',
      'test/unit/claims/claim-store',
      'test/unit/claims/claim-lists',
      'test/unit/distribution/ledger',
      'test/unit/leads/leads',
      'test/unit/leads/list-tag',
      'test/unit/sources/one-callback',
    ],
    atLeast: 93,
  },
};

/** @returns the subject of a file; undefined for code that is not mutated */
export function subjectOf(file: string): string | undefined {
  return Object.entries(SUBJECTS).find(([, { code }]) => code.some((part) => file.startsWith(part)))?.[0];
}
