/** A stage's templates, without bundling anything: bundles.test.ts tests the bundles. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { ROOT } from '#cdk/bundling';
import { config, type Stage } from '#cdk/config';
import type { StageConfig } from '#cdk/config-schema';
import { ProductStage } from '#cdk/stages';

/** Templates are JSON of many shapes, so each test asserts what it expects. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;

export interface Resource {
  readonly Type: string;
  readonly Properties: Json;
  readonly Metadata?: Json;
  readonly DependsOn?: readonly string[];
  readonly UpdatePolicy?: Json;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}
export interface Synthesised {
  readonly stage: ProductStage;
  readonly product: Template;
  /** The alarms of us-east-1. */
  readonly edge: Template | undefined;
  readonly certificate: Template | undefined;
  readonly firewall: Template | undefined;
  /** The product stack's resources by logical ID. */
  readonly resources: Readonly<Record<string, Resource>>;
  /** Errors and warnings of the synthesis, including security findings. */
  readonly findings: readonly string[];
  /** Stack settings in the cloud assembly for the command line. */
  readonly manifest: Json;
}

const { context } = JSON.parse(readFileSync(join(ROOT, 'cdk.json'), 'utf8')) as {
  context: Record<string, unknown>;
};

/** @param more context, like `-c` on the command line */
export function synthesise(
  stage: Stage,
  changes: Partial<StageConfig> = {},
  more: Readonly<Record<string, unknown>> = {},
): Synthesised {
  const outdir = mkdtempSync(join(tmpdir(), 'lead-cdk-'));
  const account = process.env.CDK_DEFAULT_ACCOUNT;
  delete process.env.CDK_DEFAULT_ACCOUNT;
  try {
    const app = new App({ outdir, context: { ...context, ...more, 'aws:cdk:bundling-stacks': [] } });
    const made = new ProductStage(app, stage, { ...config[stage], ...changes });
    const product = Template.fromStack(made.product);
    return {
      stage: made,
      product,
      edge: templateOf(made.edge.watch),
      certificate: templateOf(made.edge.certificate),
      firewall: templateOf(made.edge.firewall),
      resources: product.toJSON().Resources,
      manifest: made.synth().manifest,
      findings: made.stacks.flatMap((stack) => {
        const annotations = Annotations.fromStack(stack);
        return [
          ...annotations.findError('*', Match.anyValue()),
          ...annotations.findWarning('*', Match.anyValue()),
        ].map(({ id, entry }) => `${id} ${JSON.stringify(entry.data)}`);
      }),
    };
  } finally {
    if (account !== undefined) process.env.CDK_DEFAULT_ACCOUNT = account;
    rmSync(outdir, { recursive: true, force: true });
  }
}

function templateOf(stack: Stack | undefined): Template | undefined {
  return stack === undefined ? undefined : Template.fromStack(stack);
}

export function ofType(resources: Synthesised['resources'], type: string): [string, Resource][] {
  return Object.entries(resources).filter(([, resource]) => resource.Type === type);
}

/** The only resource of its type. */
export function only(resources: Synthesised['resources'], type: string): [string, Resource] {
  const [found, ...more] = ofType(resources, type);
  if (found === undefined || more.length > 0) throw new Error(`${type}: not exactly one`);
  return found;
}
