/** Which tests answer for which code: those of its own subject, not all that happen to run it. */

export interface Subject {
  /** The code: folders end with a slash. */
  readonly code: readonly string[];
  /** Folders end with a slash; a file stands without `.test.ts`. */
  readonly tests: readonly string[];
  /** Whether the texts in the code are changed as well; see ADR 23. */
  readonly texts?: boolean;
}

const of = (name: string): string[] => [`functions/domain/${name}/`, `functions/data/${name}/`];

/** The product's heart first: a run that is given a time works in this order. */
export const SUBJECTS: Readonly<Record<string, Subject>> = {
  rules: {
    code: ['shared/rules/'],
    tests: ['test/unit/rules/', 'test/unit/claims/'],
    texts: true,
  },
  distribution: {
    code: of('distribution'),
    tests: ['test/unit/distribution/', 'test/integration/distribution/'],
  },
  orders: {
    code: of('orders'),
    tests: [
      'test/unit/orders/',
      'test/integration/orders/',
      'test/integration/distribution/',
      'test/integration/claims/',
    ],
  },
  claims: { code: of('claims'), tests: ['test/unit/claims/', 'test/integration/claims/'] },
  http: {
    code: ['functions/http/'],
    tests: ['test/unit/http/'],
    texts: true,
  },
  leads: { code: of('leads'), tests: ['test/unit/leads/', 'test/integration/leads/'] },
  deliveries: { code: of('deliveries'), tests: ['test/unit/deliveries/', 'test/integration/deliveries/'] },
  buyers: { code: of('buyers'), tests: ['test/integration/buyers/', 'test/integration/orders/'] },
  statistics: { code: of('statistics'), tests: ['test/unit/statistics/', 'test/integration/statistics/'] },
  administration: {
    code: [...of('administration'), 'functions/domain/common/'],
    tests: ['test/integration/administration/'],
  },
  table: {
    code: ['functions/data/table/', 'functions/data/personal.ts'],
    tests: ['test/unit/leads/', 'test/integration/orders/', 'test/integration/distribution/repeated-writes'],
  },
};

/** @returns the name of the subject that a file belongs to; undefined for code that is not mutated */
export function subjectOf(file: string): string | undefined {
  return Object.entries(SUBJECTS).find(([, { code }]) => code.some((part) => file.startsWith(part)))?.[0];
}
