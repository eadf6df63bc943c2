import type { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { NO_ADDRESS_YET, type StageConfig } from '#cdk/config-schema';
import { acknowledge } from '#cdk/constructs/acknowledge';

/**
 * CloudWatch publishes only to topics in the same region. @param key by default the topic is not encrypted by a key of the
 * account
 */
export function createAlarmTopic(
  stack: Stack,
  { name, config, key }: { name: string; config: Pick<StageConfig, 'alarmEmail'>; key?: IKey },
): Topic {
  const topic = new Topic(stack, 'Alarms', {
    topicName: name,
    enforceSSL: true,
    ...(key !== undefined && { masterKey: key }),
  });
  // Replaces the default policy, which lets the whole account publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': stack.account } },
    }),
  );
  if (config.alarmEmail !== undefined && config.alarmEmail !== NO_ADDRESS_YET) {
    const subscription = topic.addSubscription(new EmailSubscription(config.alarmEmail));
    acknowledge(
      subscription,
      'Serverless-SNSRedrivePolicy',
      'An alarm whose e-mail could not be sent is still shown in the console. Sending it a day later would be of no use.',
    );
  }
  return topic;
}
