/** Creates the table where CDK does not: in the local runtime and in tests. */
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { TABLE } from '#functions/data/table/keys';

const keySchema = (partition: string, sort: string): CreateTableCommandInput['KeySchema'] => [
  { AttributeName: partition, KeyType: 'HASH' },
  { AttributeName: sort, KeyType: 'RANGE' },
];

export function tableInput(name: string): CreateTableCommandInput {
  const attributes = [TABLE, ...TABLE.indexes].flatMap((of) => [of.partitionKey, of.sortKey]);
  return {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: attributes.map((attribute) => ({ AttributeName: attribute, AttributeType: 'S' })),
    KeySchema: keySchema(TABLE.partitionKey, TABLE.sortKey),
    GlobalSecondaryIndexes: TABLE.indexes.map((index) => ({
      IndexName: index.name,
      KeySchema: keySchema(index.partitionKey, index.sortKey),
      Projection: { ProjectionType: 'ALL' },
    })),
    StreamSpecification: { StreamEnabled: true, StreamViewType: TABLE.stream },
  };
}

export async function ensureTable(client: DynamoDBClient, name: string): Promise<void> {
  try {
    await client.send(new CreateTableCommand(tableInput(name)));
  } catch (error) {
    if (error instanceof ResourceInUseException) return;
    throw error;
  }
  await client.send(
    new UpdateTimeToLiveCommand({
      TableName: name,
      TimeToLiveSpecification: { Enabled: true, AttributeName: TABLE.timeToLive },
    }),
  );
}
