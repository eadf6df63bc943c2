/** What the process of the command and that of the tests tell each other, by files. */
import * as z from 'zod/mini';

/** A test of rules takes less of the processor, one of a whole room more. */
const SLOW_MS = 200;
export const isSlow = ({ ms }: Pick<Covered, 'ms'>) => ms > SLOW_MS;

/**
 * A mutant that so many quick tests passed, or so many slow ones, is tried by no more of them: later ones notice a few percent
 * more, and those that are never noticed would cost most of a run.
 */
export const maxTrials = (test: Pick<Covered, 'ms'>) => (isSlow(test) ? 3 : 30);

/** What a test showed while nothing was changed. */
const coveredSchema = z.object({
  /** Its id in Vitest, the same in every run. */
  test: z.string(),
  /** Of the processor, by which tests are put in order, so that a busy machine does not change it. */
  ms: z.number(),
  /** By the clock. */
  lastsMs: z.number(),
  /** How often it passed each mutant. */
  hits: z.record(z.string(), z.number()),
});
export type Covered = z.output<typeof coveredSchema>;

/** The end of a trial: `why` the test failed with the mutant, null if it did not. */
const triedSchema = z.object({ mutant: z.string(), test: z.string(), why: z.nullable(z.string()) });

const planSchema = z.object({
  /**
   * `cover`: see which mutants each test passes. `judge`: try them, all in one process. `alone`: one mutant from the start,
   * so also in what is computed while a module loads.
   */
  phase: z.enum(['cover', 'judge', 'alone']),
  /** The code with the mutants in it, by the path of the file. */
  code: z.record(z.string(), z.string()),
  /** The file to which the reports are added, one JSON object a line. */
  reports: z.string(),
  /** To `judge`: for each test the mutants still to be tried. */
  tests: z.record(z.string(), coveredSchema),
  /** The mutant that is tried `alone`. */
  mutant: z.optional(z.string()),
});
export type Plan = z.output<typeof planSchema>;

export const readPlan = (text: string): Plan => planSchema.parse(JSON.parse(text));

const reportSchema = z.union([
  coveredSchema,
  triedSchema,
  /** The mutants that were passed while modules loaded. */
  z.object({ static: z.array(z.string()) }),
  /** A trial begins. */
  z.object({ trying: z.string(), test: z.string(), limitMs: z.number() }),
  /** After these the test failed without any mutant: what they left behind may have let it fail for one another. */
  z.object({ doubted: z.array(z.string()), by: z.string() }),
  /** A test fails without any mutant, because it needs an engine or another test before it, so it judges nothing. */
  z.object({ unfit: z.string(), test: z.string(), error: z.string() }),
]);
export type Report = z.output<typeof reportSchema>;

/** Whole lines only: the last one may be half written when a process is ended. */
export const readReports = (text: string): Report[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => reportSchema.parse(JSON.parse(line)));
