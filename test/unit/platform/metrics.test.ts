import { describe, expect, it } from 'vitest';
import { createMetrics, type Metrics } from '#functions/platform/metrics';

const at = new Date('2026-03-02T08:00:00Z');

function recorded(record: (metrics: Metrics) => void) {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  record(createMetrics('LeadDistribution/test', write, () => at));
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0]!);
}

describe('metrics', () => {
  it('are one line each in embedded metric format', () => {
    expect(recorded((metrics) => metrics.record('IntakeMilliseconds', 41.5, {}))).toEqual({
      _aws: {
        Timestamp: at.getTime(),
        CloudWatchMetrics: [
          {
            Namespace: 'LeadDistribution/test',
            Dimensions: [[]],
            Metrics: [{ Name: 'IntakeMilliseconds', Unit: 'Milliseconds' }],
          },
        ],
      },
      IntakeMilliseconds: 41.5,
    });
  });

  it('with a dimension count for the total and the dimension', () => {
    const failed = recorded((metrics) => metrics.record('DeliveriesFailed', 1, { Channel: 'trackbox' }));
    expect(failed).toMatchObject({
      Channel: 'trackbox',
      _aws: { CloudWatchMetrics: [{ Dimensions: [[], ['Channel']] }] },
    });
  });
});
