import { Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { BackupVault } from 'aws-cdk-lib/aws-backup';
import { AccountPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { LEAST_BACKUP_DAYS } from '#cdk/config-schema';

export const vaultName = (prefix: string) => `${prefix}-copies`;

export interface BackupVaultStackProps extends StackProps {
  readonly prefix: string;
  readonly from: string;
}

/**
 * In a separate account and region: the stage's account can add copies, but not remove them. Deployed by
 * hand, once.
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
      // No copy is deleted early unless somebody of this account removes the lock.
      lockConfiguration: { minRetention: Duration.days(LEAST_BACKUP_DAYS) },
      removalPolicy: RemovalPolicy.RETAIN,
    });
  }
}
