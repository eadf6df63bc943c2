import { describe, expect, it } from 'vitest';
import { createMetrics } from '#functions/platform/metrics';

const at = new Date('2026-03-02T08:00:00Z');

describe('metrics', () => {
  it('are one line of embedded metric format each', () => {
    const lines: string[] = [];
    createMetrics(
      'LeadDistribution/test',
      (line) => lines.push(line),
      () => at,
    ).record('IntakeMilliseconds', 41.5, {});
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toEqual({
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

  it('with a dimension count for the total and for its part', () => {
    const lines: string[] = [];
    createMetrics(
      'N',
      (line) => lines.push(line),
      () => at,
    ).record('DeliveriesFailed', 1, {
      Channel: 'trackbox',
    });
    const line = JSON.parse(lines[0]!);
    expect(line.Channel).toBe('trackbox');
    expect(line._aws.CloudWatchMetrics[0].Dimensions).toEqual([[], ['Channel']]);
  });
});
