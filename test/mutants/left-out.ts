/**
 * Code that is not mutated: only people read log lines, and the compiler proves that a `default:` of type `never` is
 * unreachable. See `docs/adr/0023-simulation-and-mutation-testing.md`.
 */
import * as z from 'zod/mini';

const named = (name: string) => z.object({ name: z.literal(name) });

/** `….log.error(…)`, `log.info(…)`. */
const logCall = z.object({
  type: z.literal('CallExpression'),
  callee: z.object({ object: z.union([named('log'), z.object({ property: named('log') })]) }),
});

/** `default: return … satisfies never`. */
const neverCase = z.object({
  type: z.literal('SwitchCase'),
  test: z.null(),
  consequent: z.tuple([
    z.object({ argument: z.object({ typeAnnotation: z.object({ type: z.literal('TSNeverKeyword') }) }) }),
  ]),
});

/** In the instrumenter's format: a node with a reason is not mutated, including its children. */
export const LEFT_OUT = {
  shouldIgnore({ node }: { readonly node: unknown }): string | undefined {
    if (logCall.safeParse(node).success) return 'what is logged';
    return neverCase.safeParse(node).success ? 'never reached, as the compiler proves' : undefined;
  },
};
