import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';

/** The customer-managed key for everything with personal data and for the alarm topic. KMS rotates it every year. */
export class EncryptionKey extends Key {
  constructor(scope: Construct, id: string, props: { readonly keepsData: boolean }) {
    super(scope, id, {
      description: 'Lead distribution: table, exports and alarm topic',
      enableKeyRotation: true,
      removalPolicy: props.keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    });
    // CloudWatch publishes to the encrypted topic on its own behalf, not on that of a role that could be granted this.
    this.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
        resources: ['*'],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
  }
}
