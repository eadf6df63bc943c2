import { CfnQueryDefinition, type ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

/** For the runbooks, in CloudWatch under Logs Insights → Queries. */
const API_QUERIES = {
  'failed-calls': 'filter status >= 500 | stats count() by route, error',
  'refused-calls': 'filter status in ["403", "429"] | stats count() by status, route, bin(5m)',
  'slow-calls': 'stats count(), pct(milliseconds, 50), pct(milliseconds, 95), max(milliseconds) by route',
} as const;
const FUNCTION_QUERIES = {
  errors: 'filter level = "error" | stats count() by @log, message, error, reason, at',
} as const;

export function saveQueries(
  scope: Construct,
  name: string,
  logs: { readonly api: ILogGroup; readonly functions: readonly ILogGroup[] },
): void {
  const save = (queries: Readonly<Record<string, string>>, groups: readonly ILogGroup[]) => {
    for (const [query, queryString] of Object.entries(queries))
      new CfnQueryDefinition(scope, `Query-${query}`, {
        name: `${name}/${query}`,
        queryString,
        logGroupNames: groups.map(({ logGroupName }) => logGroupName),
      });
  };
  save(API_QUERIES, [logs.api]);
  save(FUNCTION_QUERIES, logs.functions);
}
