import { randomUUID } from 'node:crypto';
import type { Context, ScheduledEvent } from 'aws-lambda';
import { ulid } from 'ulid';

/** As behind API Gateway. */
const TIMEOUT_MS = 30_000;

export function lambdaContext(functionName: string): Context {
  const deadline = Date.now() + TIMEOUT_MS;
  const awsRequestId = randomUUID();
  return {
    awsRequestId,
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${functionName}`,
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: awsRequestId,
    memoryLimitInMB: '1024',
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
    done: () => {},
    fail: () => {},
    succeed: () => {},
  };
}

export function scheduledEvent(now: Date): ScheduledEvent {
  return {
    id: ulid(now.getTime()),
    version: '0',
    account: '000000000000',
    time: now.toISOString(),
    region: 'local',
    resources: [],
    source: 'aws.events',
    'detail-type': 'Scheduled Event',
    detail: {},
  };
}
