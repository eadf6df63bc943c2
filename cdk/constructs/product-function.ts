import { dirname, join } from 'node:path';
import { AssetHashType, DockerImage, type Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  type AddToPrincipalPolicyResult,
  PolicyDocument,
  type PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
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
  readonly entry: string;
  readonly environment: Environment;
  readonly timeout: Duration;
  /** Megabytes; processor time is proportional. */
  readonly memory: number;
  readonly logDays: RetentionDays;
  /** By default Lambda stops functions that send to their own queue. */
  readonly sendsToItself?: boolean;
}

/** The role may only write the function's log until more is granted. */
export class ProductFunction<
  Environment extends Readonly<Record<string, string | undefined>>,
> extends LambdaFunction {
  constructor(scope: Construct, id: string, props: ProductFunctionProps<Environment>) {
    const logGroup = new LogGroup(scope, `${id}Log`, {
      logGroupName: `/aws/lambda/${props.name}`,
      retention: props.logDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new FunctionRole(scope, `${id}Role`, `Role of ${props.name}`);
    super(scope, id, {
      functionName: props.name,
      description: props.description,
      role,
      logGroup,
      // Lines are JSON already; those of the embedded metric format must not change.
      loggingFormat: LoggingFormat.TEXT,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: bundled(props.entry),
      handler: 'index.handler',
      timeout: props.timeout,
      memorySize: props.memory,
      // Lambda stops a chain of messages after 16 calls, some three hours into a delivery's retries. The product ends chains
      // itself, after 24 hours or with the backlog.
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
      'API callers see a failure immediately, queues and streams set failed messages aside, and the schedule runs again after a minute. So no event needs a dead-letter queue of the function.',
    );
    acknowledge(
      this,
      'Serverless-LambdaTracing',
      "A trace would add nothing to the metrics and the API's log, and costs five dollars per million calls. It can be switched on manually.",
    );
  }
}

/** Contains its rights: the CDK's policy would be a resource of its own, and a stack has at most 500. */
class FunctionRole extends Role {
  readonly #rights: PolicyDocument;

  constructor(scope: Construct, id: string, description: string) {
    const rights = new PolicyDocument();
    super(scope, id, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description,
      inlinePolicies: { Rights: rights },
    });
    this.#rights = rights;
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.#rights.addStatements(statement);
    return { statementAdded: true, policyDependable: this };
  }
}

/** Hashed by its result, so a function changes only with its code. */
function bundled(entry: string): Code {
  return Code.fromAsset(dirname(join(ROOT, entry)), {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      // Never pulled.
      image: DockerImage.fromRegistry('none'),
      // Distinguishes entries of one folder.
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
