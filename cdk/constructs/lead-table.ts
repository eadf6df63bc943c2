import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, StreamViewType, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { TABLE } from '#functions/data/table/keys';

const text = (name: string) => ({ name, type: AttributeType.STRING });

export class LeadTable extends TableV2 {
  constructor(
    scope: Construct,
    id: string,
    props: {
      readonly key: IKey;
      readonly keepsData: boolean;
      readonly deletionProtection: boolean;
      readonly most: { readonly read: number; readonly write: number };
    },
  ) {
    super(scope, id, {
      partitionKey: text(TABLE.partitionKey),
      sortKey: text(TABLE.sortKey),
      globalSecondaryIndexes: TABLE.indexes.map((index) => ({
        indexName: index.name,
        partitionKey: text(index.partitionKey),
        sortKey: text(index.sortKey),
        // Reads only: writes follow the table's, and would block them.
        maxReadRequestUnits: props.most.read,
      })),
      timeToLiveAttribute: TABLE.timeToLive,
      dynamoStream: StreamViewType[TABLE.stream],
      billing: Billing.onDemand({
        maxReadRequestUnits: props.most.read,
        maxWriteRequestUnits: props.most.write,
      }),
      encryption: TableEncryptionV2.customerManagedKey(props.key),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: props.deletionProtection,
      removalPolicy: props.keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    });
  }
}
