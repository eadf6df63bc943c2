import { Arn, ArnFormat, Duration, RemovalPolicy, type Stack } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { AccountPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { StageConfig } from '#cdk/config-schema';
import { acknowledge } from '#cdk/constructs/acknowledge';
import { ImpactAlarm } from '#cdk/constructs/impact-alarm';
import { vaultName } from '#cdk/stacks/backup-vault-stack';

/** It only exists to be copied: the table itself can be restored for 35 days. */
const KEEP_HERE_DAYS = 7;
const HOUR = '2';

export function createBackup(
  stack: Stack,
  {
    prefix,
    config,
    table,
    topic,
  }: { prefix: string; config: StageConfig; table: ITable; topic: ITopic | undefined },
): void {
  const { backup } = config;
  if (backup === undefined) return;
  // The other account reads with this key, and must not have the table's.
  const key = new Key(stack, 'BackupKey', {
    description: `${prefix}: backups of the table, until they are copied`,
    enableKeyRotation: true,
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
  key.addToResourcePolicy(
    new PolicyStatement({
      principals: [new AccountPrincipal(backup.account)],
      actions: ['kms:DescribeKey', 'kms:Decrypt', 'kms:CreateGrant'],
      resources: ['*'],
    }),
  );
  const vault = new BackupVault(stack, 'BackupVault', {
    backupVaultName: prefix,
    encryptionKey: key,
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  });
  const elsewhere = Arn.format(
    {
      service: 'backup',
      account: backup.account,
      region: backup.region,
      resource: 'backup-vault',
      resourceName: vaultName(prefix),
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    },
    stack,
  );
  const plan = new BackupPlan(stack, 'BackupPlan', {
    backupPlanName: prefix,
    backupVault: vault,
    backupPlanRules: [
      new BackupPlanRule({
        ruleName: 'daily',
        scheduleExpression: Schedule.cron({ minute: '0', hour: HOUR }),
        deleteAfter: Duration.days(KEEP_HERE_DAYS),
        copyActions: [
          {
            destinationBackupVault: BackupVault.fromBackupVaultArn(stack, 'BackupElsewhere', elsewhere),
            deleteAfter: Duration.days(backup.keepDays),
          },
        ],
      }),
    ],
  });
  const selection = plan.addSelection('Table', { resources: [BackupResource.fromDynamoDbTable(table)] });
  acknowledge(
    selection.node.findChild('Role'),
    'AwsSolutions-IAM4',
    "AWS's managed policy for AWS Backup, which creates and copies backups.",
    ['Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup'],
  );
  if (topic === undefined) return;
  // It has no target: its metric counts the copies.
  const copied = new Rule(stack, 'BackupCopied', {
    eventPattern: {
      source: ['aws.backup'],
      detailType: ['Copy Job State Change'],
      detail: { state: ['COMPLETED'], destinationBackupVaultArn: [elsewhere] },
    },
  });
  acknowledge(
    copied,
    'CdkNagValidationFailure',
    'The rule has no target, which this check does not expect.',
    ['Serverless-EventBusDLQ'],
  );
  new ImpactAlarm(stack, 'BackupMissing', {
    name: `${prefix}-backup-missing`,
    metric: new Metric({
      namespace: 'AWS/Events',
      metricName: 'MatchedEvents',
      dimensionsMap: { RuleName: copied.ruleName },
      statistic: Stats.SUM,
      period: Duration.days(1),
    }),
    below: 1,
    // A copy may take until the next day.
    periods: 2,
    silence: { alarms: true, because: 'a copy is made every day, so without a value there was none.' },
    impact:
      'No user notices this, but if the account or the region is lost, the newest copy is older than two days.',
    runbook: 'docs/operations/runbooks/backup-missing.md',
    topic,
  });
}
