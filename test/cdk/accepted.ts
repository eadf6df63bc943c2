import { CfnResource } from 'aws-cdk-lib';
import { AwsSolutionsChecks, type INagLogger, ServerlessChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';

const nothing = (): void => undefined;

/**
 * Runs the security checks on everything below `root`.
 * @returns `open`: unanswered findings; `idle`: acceptances without a finding; `wide`: acceptances that would also cover
 * other findings of a permission rule at the same resource. Each as `path rule`
 */
export function accepted(root: IConstruct): { open: string[]; idle: string[]; wide: string[]; used: number } {
  const open: string[] = [];
  const used = new Set<string>();
  const logger: INagLogger = {
    onCompliance: nothing,
    onNonCompliance: ({ resource, ruleId, findingId }) =>
      open.push(`${resource.node.path} ${ruleId}[${findingId}]`),
    onSuppressed: ({ resource, ruleId }) => used.add(`${resource.node.path} ${ruleId}`),
    onError: ({ resource, ruleId }) => open.push(`${resource.node.path} ${ruleId} failed`),
    // A check that failed to run is accepted under its own name.
    onSuppressedError: ({ resource }) => used.add(`${resource.node.path} CdkNagValidationFailure`),
    onNotApplicable: nothing,
  };
  const options = { additionalLoggers: [logger], reports: false };
  const packs = [new AwsSolutionsChecks(options), new ServerlessChecks(options)];
  const idle: string[] = [];
  const wide: string[] = [];
  for (const construct of root.node.findAll()) {
    for (const pack of packs) pack.visit(construct);
    if (!CfnResource.isCfnResource(construct)) continue;
    for (const { id, applies_to: only } of construct.getMetadata('cdk_nag')?.rules_to_suppress ?? []) {
      const at = `${construct.node.path} ${id}`;
      if (!used.has(at)) idle.push(at);
      if (/-IAM[45]$/.test(id) && only === undefined) wide.push(at);
    }
  }
  return { open, idle, wide, used: used.size };
}
