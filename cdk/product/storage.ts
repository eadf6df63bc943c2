import { Duration, RemovalPolicy, type Stack } from 'aws-cdk-lib';
import { type ITable, Table } from 'aws-cdk-lib/aws-dynamodb';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  ObjectLockRetention,
} from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { StageConfig } from '#cdk/config-schema';
import { acknowledge } from '#cdk/constructs/acknowledge';
import { EncryptionKey } from '#cdk/constructs/encryption-key';
import { LeadTable } from '#cdk/constructs/lead-table';
import { PLACEHOLDER } from '#cdk/provisioning/custom-resource';
import { TABLE } from '#functions/data/table/keys';

export interface Storage {
  readonly key: EncryptionKey;
  readonly table: ITable;
  readonly exports: Bucket;
  /** Checkpoints of the audit chain, which nobody can change or remove. */
  readonly auditCheckpoints: Bucket;
  /** IDs only, which a restored table does not know. */
  readonly erased: Bucket;
  readonly applicationKeys: Secret;
  readonly firstLogin: Secret;
}

/** Claims about a year expire three years after its end. */
const CHECKPOINTS_LOCKED = Duration.days(4 * 366);

export function createStorage(
  stack: Stack,
  { prefix, config, first }: { prefix: string; config: StageConfig; first: boolean },
): Storage {
  // A failed first deployment removes what it made.
  const removalPolicy = config.keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
  const key = new EncryptionKey(stack, 'Key', config);
  const ownTable = new LeadTable(stack, 'Table', {
    key,
    keepsData: config.keepsData,
    most: config.mostTableUnits,
    // A failed first deployment must be able to remove it.
    deletionProtection: config.keepsData && !first,
  });
  const table: ITable =
    config.restoredTable === undefined
      ? ownTable
      : Table.fromTableAttributes(stack, 'RestoredTable', {
          tableName: config.restoredTable.name,
          tableStreamArn: config.restoredTable.streamArn,
          encryptionKey: key,
          globalIndexes: TABLE.indexes.map((index) => index.name),
        });
  const bucket = (part: string, whyNoLog: string, props: BucketProps) => {
    const made = new Bucket(stack, part, {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      removalPolicy,
      autoDeleteObjects: !config.keepsData,
      ...props,
    });
    acknowledge(made, 'AwsSolutions-S1', whyNoLog);
    return made;
  };
  const encrypted = { encryption: BucketEncryption.KMS, encryptionKey: key, bucketKeyEnabled: true };
  const exports = bucket(
    'Exports',
    'Files are deleted after a day. Access logs would be stored longer and contain addresses.',
    {
      ...encrypted,
      lifecycleRules: [
        { expiration: Duration.days(1), abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
    },
  );
  const auditCheckpoints = bucket(
    'AuditCheckpoints',
    'One function writes a line there every day. Every version is kept, so an access log would add nothing.',
    {
      // Not the stage's key, whose removal would make the checkpoints unreadable.
      encryption: BucketEncryption.S3_MANAGED,
      versioned: true,
      // Also for the account's owner.
      ...(config.keepsData && {
        objectLockDefaultRetention: ObjectLockRetention.compliance(CHECKPOINTS_LOCKED),
      }),
    },
  );
  const applicationKeys = new Secret(stack, 'ApplicationKeys', {
    description: `${prefix}: session and encryption keys`,
    generateSecretString: {
      secretStringTemplate: PLACEHOLDER.template,
      generateStringKey: PLACEHOLDER.key,
    },
    removalPolicy,
  });
  acknowledge(
    applicationKeys,
    'AwsSolutions-SMG4',
    'Rotated by its generation in cdk/config.ts, because a new encryption key must not replace the old ones, and functions must restart.',
  );
  const firstLogin = new Secret(stack, 'FirstAdmin', {
    description: `${prefix}: the login of the first admin; changed by docs/operations/admins.md`,
    generateSecretString: {
      secretStringTemplate: JSON.stringify({ username: 'admin' }),
      generateStringKey: 'password',
      passwordLength: 24,
      excludePunctuation: true,
    },
    removalPolicy,
  });
  acknowledge(
    firstLogin,
    'AwsSolutions-SMG4',
    'Only for the first login. The admin changes the password, which is then stored as a hash in the table.',
  );
  const erased = bucket('ErasedLeads', 'It contains only IDs of leads, and is read only after a restore.', {
    ...encrypted,
    versioned: true,
  });
  return { key, table, exports, auditCheckpoints, erased, applicationKeys, firstLogin };
}
