import { CustomResource, Duration, RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Provider } from 'aws-cdk-lib/custom-resources';
import { Construct } from 'constructs';
import { acknowledge } from '#cdk/constructs/acknowledge';
import { ProductFunction } from '#cdk/constructs/product-function';

export interface ProvisioningProps {
  readonly name: string;
  readonly description: string;
  readonly entry: string;
  readonly logDays: RetentionDays;
}

export const WRITES_LOGS =
  'Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole';

const FRAMEWORK = {
  'Serverless-LambdaDefaultMemorySize': 'It only forwards an event, so the smallest size suffices.',
  'Serverless-LambdaDLQ': 'CloudFormation waits for its answer and fails the deployment without one.',
  'Serverless-LambdaTracing': 'It runs only during a deployment, and its log shows what it did.',
} as const;

/** A function that CloudFormation calls during a deployment. */
export class Provisioning extends Construct {
  readonly handler: ProductFunction<Record<string, string>>;
  readonly #provider: Provider;

  constructor(scope: Construct, id: string, props: ProvisioningProps) {
    super(scope, id);
    this.handler = new ProductFunction(this, 'Function', {
      ...props,
      environment: {},
      timeout: Duration.minutes(1),
      memory: 512,
    });
    this.#provider = new Provider(this, 'Provider', {
      onEventHandler: this.handler,
      logGroup: new LogGroup(this, 'ProviderLog', {
        retention: props.logDays,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
    });
    const framework = this.#provider.node.findChild('framework-onEvent');
    for (const [rule, reason] of Object.entries(FRAMEWORK)) acknowledge(framework, rule, reason);
    const role = framework.node.findChild('ServiceRole');
    acknowledge(
      role,
      'AwsSolutions-IAM4',
      "The CDK's framework for custom resources. It writes its log and calls the function.",
      [WRITES_LOGS],
    );
    acknowledge(
      role.node.findChild('DefaultPolicy'),
      'AwsSolutions-IAM5',
      'The framework may call any version of this function, and nothing else.',
      [/^Resource::<\w+Function\w+\.Arn>:\*$/],
    );
  }

  resource(scope: Construct, id: string, type: string, properties: Record<string, unknown>): CustomResource {
    const resource = new CustomResource(scope, id, {
      serviceToken: this.#provider.serviceToken,
      resourceType: `Custom::${type}`,
      properties,
    });
    // CloudFormation must not call the function before its rights exist.
    resource.node.addDependency(this.handler);
    return resource;
  }
}
