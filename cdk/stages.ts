import {
  type App,
  Aspects,
  Stage as CdkStage,
  CfnParameter,
  CfnRule,
  DefaultStackSynthesizer,
  type Environment,
  Fn,
  type Stack,
  Tags,
} from 'aws-cdk-lib';
import type { ISource } from 'aws-cdk-lib/aws-s3-deployment';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import type { Construct } from 'constructs';
import { config, NO_ADDRESS_YET, repository, STAGES, type Stage, type StageConfig } from '#cdk/config';
import { checkConfig } from '#cdk/config-schema';
import { webBuild } from '#cdk/constructs/web-build';
import { EdgeStack } from '#cdk/stacks/edge-stack';
import { PipelineStack } from '#cdk/stacks/pipeline-stack';
import { ProductStack } from '#cdk/stacks/product-stack';

/** Where CloudFront's certificates and firewalls live, wherever the rest is. */
const EDGE_REGION = 'us-east-1';

/** Without an account of the stage's own that of the command line's credentials; without any the templates fit every account. */
function env(region: string, account = process.env.CDK_DEFAULT_ACCOUNT): Environment {
  return { region, ...(account !== undefined && { account }) };
}

/** The roles and the bucket by which this stage is deployed; those of another stage cannot be assumed with its role. */
function bootstrapOf({ qualifier }: StageConfig): DefaultStackSynthesizer {
  return new DefaultStackSynthesizer({ qualifier });
}

/**
 * Lets CloudFormation refuse the stack before it makes anything. An error of the synthesis would also stop whoever only reads
 * or tests the templates.
 */
function refuseDeployment(stack: Stack, stage: string): void {
  const missing = `Enter the address for the alarms of ${stage} (alarmEmail in cdk/config.ts): without one nobody is told of an outage.`;
  const address = new CfnParameter(stack, 'AlarmAddress', {
    default: NO_ADDRESS_YET,
    allowedValues: [NO_ADDRESS_YET],
    description: missing,
  });
  new CfnRule(stack, 'AlarmAddressIsEntered', {
    assertions: [
      {
        assert: Fn.conditionNot(Fn.conditionEquals(address.valueAsString, NO_ADDRESS_YET)),
        assertDescription: missing,
      },
    ],
  });
}

/** The stacks of one stage. */
export class ProductStage extends CdkStage {
  readonly product: ProductStack;
  readonly edge: EdgeStack | undefined;

  constructor(scope: Construct, stage: Stage, stageConfig: StageConfig, files: ISource = webBuild()) {
    super(scope, stage);
    checkConfig(stage, stageConfig);
    const prefix = `lead-distribution-${stage}`;
    const needsEdge = stageConfig.domain !== undefined || stageConfig.firewall !== undefined;
    const common = { terminationProtection: stageConfig.keepsData, crossRegionReferences: needsEdge };
    this.edge = needsEdge
      ? new EdgeStack(this, 'Edge', {
          ...common,
          synthesizer: bootstrapOf(stageConfig),
          stackName: `${prefix}-edge`,
          description: 'Lead distribution: certificate and firewall',
          env: env(EDGE_REGION, stageConfig.account),
          prefix,
          config: stageConfig,
        })
      : undefined;
    this.product = new ProductStack(this, 'Product', {
      ...common,
      synthesizer: bootstrapOf(stageConfig),
      stackName: prefix,
      description: 'Lead distribution',
      env: env(stageConfig.region, stageConfig.account),
      stage,
      prefix,
      config: stageConfig,
      webBuild: files,
      certificate: this.edge?.certificate,
      firewallArn: this.edge?.firewallArn,
    });
    if (stageConfig.alarmEmail === NO_ADDRESS_YET)
      for (const stack of [this.edge, this.product]) if (stack !== undefined) refuseDeployment(stack, stage);
    // On the stage and not on the app: aspects do not reach into stages. An open finding fails the synthesis.
    Aspects.of(this).add(new AwsSolutionsChecks());
    Aspects.of(this).add(new ServerlessChecks());
    // Dashboards do not accept tags in every region.
    const but = { excludeResourceTypes: ['AWS::CloudWatch::Dashboard'] };
    Tags.of(this).add('product', 'lead-distribution', but);
    Tags.of(this).add('stage', stage, but);
  }
}

/** Both stages, and the roles by which CI deploys them. */
export function addStages(app: App): Readonly<Record<Stage, ProductStage>> {
  // A stage of its own: what is wrong with it stops only those who deploy it.
  const pipeline = new PipelineStack(new CdkStage(app, 'pipeline'), 'Roles', {
    stackName: 'lead-distribution-pipeline',
    description: 'Lead distribution: the roles by which CI deploys',
    env: env(config.prod.region),
    repository,
    qualifiers: { dev: config.dev.qualifier, prod: config.prod.qualifier },
  });
  Aspects.of(pipeline).add(new AwsSolutionsChecks());
  const files = webBuild();
  const [dev, prod] = STAGES.map((stage) => new ProductStage(app, stage, config[stage], files));
  if (dev === undefined || prod === undefined) throw new Error('Both stages are needed');
  return { dev, prod };
}
