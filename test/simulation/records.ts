import type { DynamoDBRecord } from 'aws-lambda';
import { type Change, imageOf } from '#test/simulation/table-model';

/** A change as in the table's stream. */
export function recordOf({ pk, sk, before, after }: Change, at: number): DynamoDBRecord {
  return {
    eventName: before === undefined ? 'INSERT' : after === undefined ? 'REMOVE' : 'MODIFY',
    dynamodb: {
      SequenceNumber: String(at),
      Keys: { pk: { S: pk }, sk: { S: sk } },
      ...(before && { OldImage: imageOf(before) as never }),
      ...(after && { NewImage: imageOf(after) as never }),
    },
  };
}
