/** The log contains the cause of rejected queue messages, but not their content. */
import type { SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { createLogger } from '#functions/platform/logger';
import { createQueue } from '#functions/queues/sqs';

const URL = 'https://sqs.eu-central-1.amazonaws.com/123456789012/lead-distribution-dev-deliver';
const MESSAGES = ['Erika', 'Jana', 'Ute'].map((secret) => ({ message: { secret } }));

function queueThat(answer: () => Promise<object>) {
  const lines: Record<string, unknown>[] = [];
  const client = { send: answer } as unknown as Pick<SQSClient, 'send'>;
  const log = createLogger((line) => lines.push(JSON.parse(line) as Record<string, unknown>));
  return { queue: createQueue<{ secret: string }>(client, URL, log), lines };
}

const named = (name: string, message: string) => Object.assign(new Error(message), { name });

describe('messages rejected by a queue', () => {
  it.each([
    [
      named(
        'AccessDenied',
        'User: arn:aws:sts::123456789012:assumed-role/deliver/x is not authorized to perform: sqs:sendmessage',
      ),
      'User: … is not authorized to perform: …',
    ],
    [
      named('QueueDoesNotExist', 'The specified queue does not exist.'),
      'The specified queue does not exist.',
    ],
    [named('ThrottlingException', 'Rate exceeded'), 'Rate exceeded'],
    [named('Error', 'getaddrinfo ENOTFOUND sqs.eu-nowhere-1.amazonaws.com'), 'getaddrinfo ENOTFOUND …'],
  ])('are logged with the name and the message of the error: %s', async (cause, reason) => {
    const { queue, lines } = queueThat(() => Promise.reject(cause));
    expect(await queue.send(MESSAGES)).toEqual([false, false, false]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: 'error',
      message: 'messages not queued',
      queue: 'lead-distribution-dev-deliver',
      refused: 3,
      messages: 3,
      error: cause.name,
      reason,
    });
    expect(JSON.stringify(lines)).not.toMatch(/Erika|Jana|Ute|123456789012/);
  });

  it('are logged with their SQS codes if others were accepted', async () => {
    const { queue, lines } = queueThat(async () => ({
      Successful: [{ Id: '1' }],
      Failed: [
        { Id: '0', Code: 'InternalError', SenderFault: false, Message: 'Try again later' },
        {
          Id: '2',
          Code: 'InvalidMessageContents',
          SenderFault: true,
          Message: 'Invalid character was found in the message body "Ute"',
        },
      ],
    }));
    expect(await queue.send(MESSAGES)).toEqual([false, true, false]);
    expect(lines).toMatchObject([
      {
        level: 'error',
        message: 'messages not queued',
        queue: 'lead-distribution-dev-deliver',
        refused: 2,
        messages: 3,
        codes: 'InternalError, InvalidMessageContents (sender)',
        reasons: 'Invalid character was found in the message body …, Try again later',
      },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/Erika|Ute/);
  });

  it('are not logged if all were accepted', async () => {
    const { queue, lines } = queueThat(async () => ({ Successful: [{ Id: '0' }, { Id: '1' }, { Id: '2' }] }));
    expect(await queue.send(MESSAGES)).toEqual([true, true, true]);
    expect(lines).toEqual([]);
  });
});
