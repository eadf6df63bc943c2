import { Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { BackupVault } from 'aws-cdk-lib/aws-backup';
import { AccountPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { LEAST_BACKUP_DAYS } from '#cdk/config-schema';

/** Of the vault that takes a stage's copies. */
export const vaultName = (prefix: string) => `${prefix}-copies`;

export interface BackupVaultStackProps extends StackProps {
  readonly prefix: string;
  /** The account whose copies the vault takes. */
  readonly from: string;
}

/**
 * Where the copies of a stage's table go: in an account and region of its own, so that whoever may do everything in the stage's
 * account can add to it and take nothing away. Deployed once, by hand, with credentials of that account.
 */
export class BackupVaultStack extends Stack {
  constructor(scope: Construct, id: string, props: BackupVaultStackProps) {
    super(scope, id, props);
    new BackupVault(this, 'Vault', {
      backupVaultName: vaultName(props.prefix),
      encryptionKey: new Key(this, 'Key', {
        description: `Copies of ${props.prefix}`,
        enableKeyRotation: true,
        removalPolicy: RemovalPolicy.RETAIN,
      }),
      accessPolicy: new PolicyDocument({
        statements: [
          new PolicyStatement({
            principals: [new AccountPrincipal(props.from)],
            actions: ['backup:CopyIntoBackupVault'],
            resources: ['*'],
          }),
        ],
      }),
      // Shorter copies are refused, and none is deleted before its time unless somebody of this account takes the lock away first.
      lockConfiguration: { minRetention: Duration.days(LEAST_BACKUP_DAYS) },
      removalPolicy: RemovalPolicy.RETAIN,
    });
  }
}
