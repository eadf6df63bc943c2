import { join } from 'node:path';
import { type Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogLevel, NodejsFunction, OutputFormat, SourceMapMode } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { BUNDLE, ROOT } from '#cdk/bundling';
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
}

/** A function with a role, a log and a bundle of its own. The role may write that log and nothing else until granted. */
export class ProductFunction<
  Environment extends Readonly<Record<string, string | undefined>>,
> extends NodejsFunction {
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
      entry: join(ROOT, props.entry),
      projectRoot: ROOT,
      depsLockFilePath: join(ROOT, 'package-lock.json'),
      handler: 'handler',
      timeout: props.timeout,
      memorySize: props.memory,
      awsSdkConnectionReuse: false,
      environment: {
        ...Object.fromEntries(
          Object.entries(props.environment).filter((pair): pair is [string, string] => pair[1] !== undefined),
        ),
        NODE_OPTIONS: '--enable-source-maps',
      },
      bundling: {
        format: OutputFormat.ESM,
        target: BUNDLE.target,
        externalModules: [],
        mainFields: [...BUNDLE.mainFields],
        banner: BUNDLE.banner,
        minify: true,
        logLevel: LogLevel.ERROR,
        sourceMap: true,
        sourceMapMode: SourceMapMode.EXTERNAL,
        sourcesContent: false,
        forceDockerBundling: false,
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
