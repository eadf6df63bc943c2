import { dirname, join } from 'node:path';
import { AssetHashType, DockerImage, type Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { bundle, ROOT } from '#cdk/bundling';
import { acknowledge } from '#cdk/constructs/acknowledge';

export interface ProductFunctionProps<Environment> {
  readonly name: string;
  readonly description: string;
  /** From the project's root. */
  readonly entry: string;
  readonly environment: Environment;
  readonly timeout: Duration;
  /** Megabytes; processor time comes in proportion. */
  readonly memory: number;
  readonly logDays: RetentionDays;
  /** Whether it may put messages on the queue that starts it; by default Lambda ends such a chain. */
  readonly sendsToItself?: boolean;
}

/** A function with a role, a log and a bundle of its own. The role may write that log and nothing else until granted. */
export class ProductFunction<
  Environment extends Readonly<Record<string, string | undefined>>,
> extends LambdaFunction {
  constructor(scope: Construct, id: string, props: ProductFunctionProps<Environment>) {
    const logGroup = new LogGroup(scope, `${id}Log`, {
      logGroupName: `/aws/lambda/${props.name}`,
      retention: props.logDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(scope, `${id}Role`, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: `May do what ${props.name} does`,
    });
    super(scope, id, {
      functionName: props.name,
      description: props.description,
      role,
      logGroup,
      // Lines are JSON already, and those of the embedded metric format must stay as they are.
      loggingFormat: LoggingFormat.TEXT,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: bundled(props.entry),
      handler: 'index.handler',
      timeout: props.timeout,
      memorySize: props.memory,
      // By the lineage that the SDK passes on, Lambda gives up a chain of messages after 16 calls, some three hours into a
      // delivery's retries. What ends a chain is the product's own: a delivery's 24 hours, or the end of the backlog.
      ...(props.sendsToItself === true && { recursiveLoop: RecursiveLoop.ALLOW }),
      environment: {
        ...Object.fromEntries(
          Object.entries(props.environment).filter((pair): pair is [string, string] => pair[1] !== undefined),
        ),
        NODE_OPTIONS: '--enable-source-maps',
      },
    });
    logGroup.grantWrite(role);
    acknowledge(
      this,
      'Serverless-LambdaDLQ',
      'Callers of the API see a failure at once, queues and streams set aside what fails, and the schedule comes again in a minute: no event is left to a dead-letter queue of the function.',
    );
    acknowledge(
      this,
      'Serverless-LambdaTracing',
      'A trace would say no more than the metrics and the API’s log do, for five dollars a million calls; switched on by hand when a runbook asks for it.',
    );
  }
}

/** The folder made from an entry; its hash is that of the result, so a function changes only when its code does. */
function bundled(entry: string): Code {
  return Code.fromAsset(dirname(join(ROOT, entry)), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never pulled: the folder is always made here.
      image: DockerImage.fromRegistry('none'),
      // Tells entries of one folder apart.
      command: [entry],
      local: {
        tryBundle(folder) {
          bundle(entry, folder);
          return true;
        },
      },
    },
  });
}
