import { CfnResource } from 'aws-cdk-lib';
import { NagSuppressions } from 'cdk-nag';
import type { IConstruct } from 'constructs';

/**
 * Accepts a finding of the security checks at one resource. @param reason true as long as the resource exists @param only the
 * accepted findings, such as `Resource::*` @throws Error for a construct without a resource
 */
export function acknowledge(
  at: IConstruct,
  rule: string,
  reason: string,
  only?: readonly (string | RegExp)[],
): void {
  const resource = at.node.defaultChild ?? at;
  if (!CfnResource.isCfnResource(resource))
    throw new Error(`${at.node.path} is no resource: ${rule} has to be accepted where it is found`);
  NagSuppressions.addResourceSuppressions(resource, [
    {
      id: rule,
      reason,
      ...(only !== undefined && {
        appliesTo: only.map((one) => (typeof one === 'string' ? one : { regex: String(one) })),
      }),
    },
  ]);
}
