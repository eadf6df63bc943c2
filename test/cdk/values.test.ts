/** Numbers of the infrastructure, each with the reason for it. The snapshot holds them as well, but whoever renews it confirms any. */
import { describe, expect, it } from 'vitest';
import { type Json, ofType, type Resource, synthesise } from '#test/cdk/synthesise';

const PREFIX = 'lead-distribution-prod-';
const { resources, firewall, edge } = synthesise('prod');
const named = (type: string, property: string): ReadonlyMap<string, Json> =>
  new Map(
    ofType(resources, type).map(([, { Properties }]) => [
      String(Properties[property]).replace(PREFIX, ''),
      Properties,
    ]),
  );
const functions = named('AWS::Lambda::Function', 'FunctionName');
const queues = named('AWS::SQS::Queue', 'QueueName');
const mappings: readonly Json[] = ofType(resources, 'AWS::Lambda::EventSourceMapping').map(
  ([, { Properties }]) => Properties,
);
const mappingOf = (name: string): Json => {
  const [found, ...more] = mappings.filter(({ FunctionName }) =>
    new RegExp(`"(?:Function${name}|Live${name}Alias)[0-9A-F]`).test(JSON.stringify(FunctionName)),
  );
  if (found === undefined || more.length > 0) throw new Error(`${name}: not exactly one mapping`);
  return found;
};

/** The queues, and why a message that waits for half an hour is late: a worker that only repeats has caught up by then. */
const QUEUES = [
  ['deliver', 'buyers call people who have bought elsewhere'],
  ['distribute', 'no buyer has the leads yet'],
  ['notify', 'a push notification is out of date by then'],
  ['callback', 'sources buy their next leads by what they are told'],
  ['redistribute', 'a new order has still taken no pending lead'],
  ['bounces', 'nobody sees that a lead did not arrive'],
] as const;

describe('an alarm', () => {
  const alarms = new Map(
    [resources, edge?.toJSON().Resources as Record<string, Resource>].flatMap((of) =>
      ofType(of, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => [
        String(Properties.AlarmName).replace(PREFIX, ''),
        Properties,
      ]),
    ),
  );
  const seconds = ({ Period, Metrics }: Json): number =>
    Period ?? Math.max(...Metrics.map((one: Json) => one.Period ?? one.MetricStat?.Period ?? 0));

  /** Name, comparison and threshold, seconds of a period and how many of them, and why. */
  const ALARMS: readonly (readonly [string, string, number, number, string])[] = [
    ['api-failures', '>= 1', 300, 1, 'one failed call in a hundred is more than chance'],
    ['calls-403', '>= 20', 300, 2, 'a fifth, twice: a scanner is over after five minutes'],
    ['calls-429', '>= 5', 300, 2, 'one call in twenty, twice: a burst is over after five minutes'],
    ['intake-slow', '>= 2000', 300, 3, 'milliseconds that people wait for a form'],
    ['functions-throttled', '>= 5', 300, 1, 'Lambda repeats single ones itself'],
    ['table-throttled', '>= 10', 300, 1, 'the SDK repeats single ones itself'],
    ['outbox-late', '>= 120000', 300, 1, 'two minutes: a lead should be called within five'],
    ['statistics-late', '>= 900000', 300, 1, 'a quarter of an hour: nobody decides on figures sooner'],
    ['stream-records-set-aside', '>= 1', 300, 1, 'each one is a delivery that may never start'],
    ['reconciliation-stopped', '< 1', 300, 2, 'five runs are due in a period; a deployment may cost one'],
    ['deliveries-overdue', '>= 7200', 300, 1, 'the retries of the first hour and more are over'],
    ['audit-head-old', '>= 129600', 300, 1, 'a head leaves daily; half a day to spare'],
    ['deliveries-failed', '>= 1', 300, 1, 'each one is a lead that its buyer does not get'],
    ['share-drift', '>= 20', 300, 6, 'half an hour: verification alone delays shares by minutes'],
    ['many-refused-logins', '>= 50', 300, 1, 'all admins together mistype less often'],
    ['leads-new-version', '>= 3', 60, 1, 'within the five minutes for which a tenth of the calls tries it'],
    ['deliver-new-version', '>= 3', 60, 1, 'within the five minutes for which a tenth of the calls tries it'],
    ['firewall-blocks', '>= 20', 300, 2, 'every fifth request, twice: a scanner is over after five minutes'],
    ...QUEUES.flatMap(
      ([name, after]) =>
        [
          [`${name}-dead-letters`, '>= 1', 300, 1, 'nothing takes a message out but a person'],
          [`${name}-late`, '>= 1800', 300, 1, after],
        ] as const,
    ),
    ...['outbox', 'statistics', 'reconcile', ...QUEUES.map(([name]) => name)].map(
      (name) => [`${name}-errors`, '>= 3', 300, 2, 'a single failure is repeated by itself'] as const,
    ),
  ];

  it('has a reason, whichever it is', () => {
    expect([...alarms.keys()].sort()).toEqual(ALARMS.map(([name]) => name).sort());
  });

  it.each(ALARMS)('%s comes at %s in periods of %i s, %i in a row: %s', (name, at, period, periods) => {
    const alarm = alarms.get(name);
    const sign = alarm?.ComparisonOperator === 'LessThanThreshold' ? '<' : '>=';
    expect([`${sign} ${alarm?.Threshold}`, seconds(alarm), alarm?.EvaluationPeriods]).toEqual([
      at,
      period,
      periods,
    ]);
  });

  it('looks at a share of refused calls from twenty on: a few calls of a stranger in the night are none', () => {
    for (const name of ['calls-403', 'calls-429'])
      expect(JSON.stringify(alarms.get(name)?.Metrics)).toContain('FILL(refused, 0) >= 20,');
  });

  it('without data comes only where silence is the failure', () => {
    const breaching = [...alarms].filter(([, { TreatMissingData }]) => TreatMissingData === 'breaching');
    expect(breaching.map(([name]) => name)).toEqual(['reconciliation-stopped']);
  });
});

describe('a function', () => {
  it.each([
    ['a browser waits for it, and CloudFront for thirty seconds', 20, ['auth', 'intake', 'leads', 'orders']],
    ['a mail server may take a minute for a message and ten to confirm it', 720, ['deliver']],
    ['ten letters of a batch, with ten seconds each and some to spare', 120, ['notify']],
    ['one call of twenty seconds to a source, with reads and writes', 60, ['callback']],
    ['it stops by itself after 25 seconds and passes the rest on', 40, ['redistribute']],
    ['it starts every minute, and the next run should find it ended', 40, ['reconcile']],
  ])('has its time because %s: %i seconds', (_why, seconds, names) => {
    for (const name of names) expect(functions.get(name)?.Timeout, name).toBe(seconds);
  });

  it('of the API answers before CloudFront gives up', () => {
    const origins = ofType(resources, 'AWS::CloudFront::Distribution').flatMap(
      ([, { Properties }]) => Properties.DistributionConfig.Origins,
    );
    const waits = origins.flatMap(({ CustomOriginConfig: api }: Json) => api?.OriginReadTimeout ?? []);
    expect(waits).toEqual([30]);
  });
});

describe('a queue', () => {
  it.each(QUEUES)(
    '%s hides a message for six runs of its worker, tries it five times and keeps it over a long weekend',
    (name) => {
      const { VisibilityTimeout, RedrivePolicy, MessageRetentionPeriod } = queues.get(name);
      // As AWS advises: while the worker is throttled, the message must not come to a second one.
      expect(VisibilityTimeout).toBe(functions.get(name)?.Timeout * 6);
      expect(RedrivePolicy.maxReceiveCount).toBe(5);
      expect(MessageRetentionPeriod).toBe(4 * 86_400);
      // A dead letter keeps the age it had: as long as SQS can, so that somebody comes back from holidays in time.
      expect(queues.get(`${name}-dead`)?.MessageRetentionPeriod).toBe(14 * 86_400);
    },
  );

  it.each([
    ['deliver', 1, 50, 'a delivery may take minutes, and others must not wait behind it'],
    ['notify', 1, 2, 'a killed worker hides its messages; Pushover asks for at most two connections'],
    ['callback', 1, 4, 'a slow source must not hold the others'],
    ['redistribute', 1, 2, 'one run looks at the whole backlog; a second one is for another buyer'],
    ['distribute', 1, 4, 'more would only wait for each other over the ledger of shares'],
    ['bounces', 1, 2, 'a killed worker hides its messages'],
  ] as const)('%s gives a worker %i at a time, and %i workers: %s', (name, batch, atOnce, _why) => {
    expect(mappingOf(name)).toMatchObject({
      BatchSize: batch,
      ScalingConfig: { MaximumConcurrency: atOnce },
      // Otherwise one bad message brings the whole batch back, and what was sent is sent again.
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
  });
});

describe('the stream', () => {
  const patterns = (name: string) =>
    mappingOf(name).FilterCriteria.Filters.map(({ Pattern }: Json) => JSON.parse(Pattern));

  it('wakes the outbox for what is to be sent, and for room in the pool; counters would wake it at every lead', () => {
    expect(patterns('outbox')).toEqual([
      {
        dynamodb: {
          Keys: {
            sk: {
              S: ['LEAD', 'NOTICE', { prefix: 'DELIVERY#' }, { prefix: 'CALLBACK#' }, { prefix: 'ENTRY#' }],
            },
          },
        },
      },
    ]);
  });

  it('wakes the statistics for leads, decisions, and deliveries that have arrived', () => {
    expect(patterns('statistics')).toEqual([
      { dynamodb: { Keys: { sk: { S: ['LEAD', 'DECISION'] } } } },
      {
        dynamodb: {
          Keys: { sk: { S: [{ prefix: 'DELIVERY#' }] } },
          NewImage: { status: { S: ['delivered'] } },
        },
      },
    ]);
  });

  it.each(['outbox', 'statistics'])(
    'retries for %s six of its 24 hours, with ever smaller batches, before one bad record is set aside',
    (name) => {
      expect(mappingOf(name)).toMatchObject({
        BatchSize: 100,
        BisectBatchOnFunctionError: true,
        MaximumRecordAgeInSeconds: 6 * 3600,
        // What changed while the function was being deployed is not to be missed.
        StartingPosition: 'TRIM_HORIZON',
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        DestinationConfig: { OnFailure: { Destination: expect.anything() } },
      });
      // Whichever limit is reached first ends the retries.
      expect(mappingOf(name).MaximumRetryAttempts ?? -1).toBe(-1);
    },
  );
});

it('the reconciliation starts every minute and is not repeated: the next run is a minute away', () => {
  const rules = ofType(resources, 'AWS::Events::Rule').filter(([, { Properties }]) =>
    JSON.stringify(Properties.Targets ?? []).includes('Functionreconcile'),
  );
  expect(rules.map(([, { Properties }]) => Properties)).toMatchObject([
    {
      ScheduleExpression: 'rate(1 minute)',
      Targets: [{ RetryPolicy: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 } }],
    },
  ]);
  // A run that Lambda puts off is not repeated either.
  expect(
    ofType(resources, 'AWS::Lambda::EventInvokeConfig').map(([, { Properties }]) => Properties),
  ).toMatchObject([{ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 }]);
});

it('the firewall counts 2,000 requests of an address, which an office shares, and 50 logins, which is guessing', () => {
  const limits = ofType(firewall?.toJSON().Resources, 'AWS::WAFv2::WebACL').flatMap(([, { Properties }]) =>
    Properties.Rules.flatMap(({ Statement }: Json) => Statement.RateBasedStatement?.Limit ?? []),
  );
  expect(limits.toSorted((one: number, other: number) => one - other)).toEqual([50, 2000]);
});
