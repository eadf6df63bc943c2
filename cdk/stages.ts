import {
  type App,
  Aspects,
  Stage as CdkStage,
  CfnParameter,
  CfnRule,
  DefaultStackSynthesizer,
  type Environment,
  Fn,
  LegacyStackSynthesizer,
  type Stack,
  Tags,
} from 'aws-cdk-lib';
import type { ISource } from 'aws-cdk-lib/aws-s3-deployment';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import type { Construct } from 'constructs';
import { config, repository, STAGES, type Stage } from '#cdk/config';
import { checkConfig, NO_ADDRESS_YET, type StageConfig } from '#cdk/config-schema';
import { webBuild } from '#cdk/constructs/web-build';
import { BackupVaultStack } from '#cdk/stacks/backup-vault-stack';
import { CertificateStack } from '#cdk/stacks/certificate-stack';
import { EdgeStack } from '#cdk/stacks/edge-stack';
import { FirewallStack } from '#cdk/stacks/firewall-stack';
import { PipelineStack } from '#cdk/stacks/pipeline-stack';
import { ProductStack } from '#cdk/stacks/product-stack';

/** CloudFront requires certificates and firewalls in this region. */
const EDGE_REGION = 'us-east-1';

/** By default that of the credentials; without any, the templates fit every account. */
function env(region: string, account = process.env.CDK_DEFAULT_ACCOUNT): Environment {
  return { region, ...(account !== undefined && { account }) };
}

/** Each stage is deployed by its own roles and bucket. */
function bootstrapOf({ qualifier }: StageConfig): DefaultStackSynthesizer {
  return new DefaultStackSynthesizer({ qualifier });
}

/** CloudFormation refuses the stack. An error of the synthesis would also stop tests. */
function refuseDeployment(stack: Stack, stage: string): void {
  const missing = `Enter the address for the alarms of ${stage} (alarmEmail in cdk/config.ts): without one nobody is notified of an outage.`;
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

/** On the parent, because an aspect of the app does not reach into stages. */
function finish(scope: Construct, stage: string): void {
  Aspects.of(scope).add(new AwsSolutionsChecks());
  Aspects.of(scope).add(new ServerlessChecks());
  // Dashboards have no tags in some regions.
  const but = { excludeResourceTypes: ['AWS::CloudWatch::Dashboard'] };
  Tags.of(scope).add('product', 'lead-distribution', but);
  Tags.of(scope).add('stage', stage, but);
}

/** Until one deployment has succeeded: a failed one can be removed (first-deployment.md). @throws Error for another value than 1 */
function isFirst(scope: Construct): boolean {
  const first: unknown = scope.node.tryGetContext('first');
  if (first !== undefined && first !== '1')
    throw new Error(`-c first=${JSON.stringify(first)}: only -c first=1 exists`);
  return first !== undefined;
}

const prefixOf = (stage: string) => `lead-distribution-${stage}`;

const productProps = (stage: string, stageConfig: StageConfig, files: ISource) => ({
  synthesizer: bootstrapOf(stageConfig),
  stackName: prefixOf(stage),
  description: 'Lead distribution',
  env: env(stageConfig.region, stageConfig.account),
  stage,
  prefix: prefixOf(stage),
  config: stageConfig,
  webBuild: files,
});

export interface Edge {
  readonly certificate: CertificateStack | undefined;
  readonly firewall: FirewallStack | undefined;
  readonly watch: EdgeStack | undefined;
}

export function addEdge(scope: Construct, stage: string, stageConfig: StageConfig): Edge {
  const { domain, firewall, watched, account } = stageConfig;
  const prefix = prefixOf(stage);
  const common = {
    synthesizer: bootstrapOf(stageConfig),
    env: env(EDGE_REGION, account),
    crossRegionReferences: true,
  };
  return {
    certificate:
      domain === undefined
        ? undefined
        : new CertificateStack(scope, 'Certificate', {
            ...common,
            stackName: `${prefix}-certificate-${domain.name.replaceAll('.', '-')}`,
            description: `Lead distribution: certificate of ${domain.name}`,
            domain,
          }),
    firewall:
      firewall === undefined
        ? undefined
        : new FirewallStack(scope, 'Firewall', {
            ...common,
            stackName: `${prefix}-firewall`,
            description: 'Lead distribution: firewall',
            name: prefix,
            limits: firewall,
          }),
    watch:
      watched && (domain !== undefined || firewall !== undefined)
        ? new EdgeStack(scope, 'Edge', {
            ...common,
            stackName: `${prefix}-edge`,
            description: 'Lead distribution: alarms of us-east-1',
            prefix,
            config: stageConfig,
          })
        : undefined,
  };
}

export class ProductStage extends CdkStage {
  readonly product: ProductStack;
  readonly edge: Edge;

  constructor(scope: Construct, stage: Stage, stageConfig: StageConfig, files: ISource = webBuild()) {
    super(scope, stage);
    checkConfig(stage, stageConfig);
    this.edge = addEdge(this, stage, stageConfig);
    const first = isFirst(this);
    this.product = new ProductStack(this, 'Product', {
      ...productProps(stage, stageConfig, files),
      // The CDK protects a stack before it has content, so a failed first deployment could not be removed.
      terminationProtection: stageConfig.keepsData && !first,
      first,
      crossRegionReferences: true,
      certificate: this.edge.certificate?.certificate,
      firewallArn: this.edge.firewall?.arn,
    });
    if (stageConfig.alarmEmail === NO_ADDRESS_YET)
      for (const stack of this.stacks) refuseDeployment(stack, stage);
    finish(this, stage);
  }

  get stacks(): readonly Stack[] {
    const { certificate, firewall, watch } = this.edge;
    return [certificate, firewall, watch, this.product].filter((stack) => stack !== undefined);
  }
}

/**
 * Like dev, but without alarms and in one stack, so that destroying it leaves nothing. @throws Error for another name than
 * `pr-12`, which could be a stage that keeps data
 */
export function addPullRequestStage(app: App, stage: string, files: ISource = webBuild()): ProductStack {
  if (!/^pr-[1-9]\d{0,5}$/.test(stage))
    throw new Error(`-c stage=${stage}: a stage of its own is called by the pull request's number, as pr-12`);
  const {
    qualifier,
    region,
    account,
    throttle,
    parallelDeliveries,
    mostTableUnits,
    logDays,
    siteGateKeys,
    originSecrets,
  } = config.dev;
  const stageConfig: StageConfig = {
    ...(account !== undefined && { account }),
    qualifier,
    region,
    throttle,
    mostTableUnits,
    parallelDeliveries,
    logDays,
    siteGateKeys,
    originSecrets,
    keepsData: false,
    watched: false,
    canary: false,
    applicationKeys: 1,
    partners: {},
  };
  checkConfig(stage, stageConfig);
  // Directly in the app, so `cdk deploy -c stage=pr-12` needs no name.
  const product = new ProductStack(app, 'Product', {
    ...productProps(stage, stageConfig, files),
    first: false,
  });
  finish(product, stage);
  return product;
}

/** `backup-prod/*`, deployed with credentials of another account. */
export function addBackupVault(
  app: App,
  stage: string,
  stageConfig: StageConfig,
): BackupVaultStack | undefined {
  const { backup, account } = stageConfig;
  if (backup === undefined || account === undefined) return undefined;
  const scope = new CdkStage(app, `backup-${stage}`);
  const vault = new BackupVaultStack(scope, 'Vault', {
    // Without a bootstrap: that account has nothing else.
    synthesizer: new LegacyStackSynthesizer(),
    stackName: `${prefixOf(stage)}-backup-vault`,
    description: `Lead distribution: copies of ${stage}`,
    env: env(backup.region, backup.account),
    terminationProtection: true,
    prefix: prefixOf(stage),
    from: account,
  });
  finish(scope, stage);
  return vault;
}

function addStages(app: App): void {
  // Apart, so that its errors stop only its own deployment.
  const pipeline = new PipelineStack(new CdkStage(app, 'pipeline'), 'Roles', {
    // It belongs to both stages, so the bootstrap of neither.
    synthesizer: new LegacyStackSynthesizer(),
    stackName: 'lead-distribution-pipeline',
    description: 'Lead distribution: the roles by which CI deploys',
    env: env(config.prod.region),
    repository,
    qualifiers: { dev: config.dev.qualifier, prod: config.prod.qualifier },
  });
  Aspects.of(pipeline).add(new AwsSolutionsChecks());
  const files = webBuild();
  for (const stage of STAGES) {
    new ProductStage(app, stage, config[stage], files);
    addBackupVault(app, stage, config[stage]);
  }
}

export function addToApp(app: App): void {
  const stage: unknown = app.node.tryGetContext('stage');
  if (typeof stage === 'string') addPullRequestStage(app, stage);
  else addStages(app);
}
