/** The files by which the command's process and the test process communicate. */
import * as z from 'zod/mini';

/** A test of rules needs less CPU time than this, one with a whole product more. */
const SLOW_MS = 200;
export const isSlow = ({ ms }: Pick<Covered, 'ms'>) => ms > SLOW_MS;

/**
 * A mutant that this many fast or slow tests executed undetected gets no further ones: they would detect a few percent
 * more, and undetectable mutants would take most of a run.
 */
export const maxTrials = (test: Pick<Covered, 'ms'>) => (isSlow(test) ? 3 : 30);

/** The result of a test without a mutant. */
const coveredSchema = z.object({
  /** Its ID in Vitest, the same in every run. */
  test: z.string(),
  /** CPU time, by which tests are ordered, so that a busy machine does not change the order. */
  ms: z.number(),
  /** Wall-clock time. */
  lastsMs: z.number(),
  /** How often it executed each mutant. */
  hits: z.record(z.string(), z.number()),
});
export type Covered = z.output<typeof coveredSchema>;

/** The result of a trial: `why` the test failed with the mutant, null if it passed. */
const triedSchema = z.object({ mutant: z.string(), test: z.string(), why: z.nullable(z.string()) });

const planSchema = z.object({
  /**
   * `cover`: find the mutants that each test executes. `judge`: try them, all in one process. `alone`: one mutant from the
   * start, so also while modules load.
   */
  phase: z.enum(['cover', 'judge', 'alone']),
  /** The code with its mutants, by file path. */
  code: z.record(z.string(), z.string()),
  /** The file to which reports are appended, one JSON object per line. */
  reports: z.string(),
  /** For `judge`: the mutants that each test still has to try. */
  tests: z.record(z.string(), coveredSchema),
  /** The mutant tried `alone`. */
  mutant: z.optional(z.string()),
});
export type Plan = z.output<typeof planSchema>;

export const readPlan = (text: string): Plan => planSchema.parse(JSON.parse(text));

const reportSchema = z.union([
  coveredSchema,
  triedSchema,
  /** The mutants executed while modules loaded. */
  z.object({ static: z.array(z.string()) }),
  /** A trial begins. */
  z.object({ trying: z.string(), test: z.string(), limitMs: z.number() }),
  /** The test failed without any mutant after these trials, whose side effects may have caused other failures. */
  z.object({ doubted: z.array(z.string()), by: z.string() }),
  /** A test fails without any mutant, because it needs an engine or an earlier test, so it cannot judge. */
  z.object({ unfit: z.string(), test: z.string(), error: z.string() }),
]);
export type Report = z.output<typeof reportSchema>;

/** Whole lines only: an ended process may leave the last one incomplete. */
export const readReports = (text: string): Report[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => reportSchema.parse(JSON.parse(line)));
