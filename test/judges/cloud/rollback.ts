/** A deployment that CloudFormation has to roll back. */
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLOUD_FOLDER } from '#test/harness/emulator';
import { STACK } from '#test/judges/cloud/deployment';
import { expect } from '#test/judges/cloud/findings';
import { versions } from '#test/judges/cloud/redeployments';
import type { Stage } from '#test/judges/cloud/stage';

/** The address of a function that does not exist. */
const REFUSED = {
  Type: 'AWS::Lambda::Url',
  Properties: { TargetFunctionArn: 'nobody', AuthType: 'AWS_IAM' },
};

/**
 * CloudFormation updates everything, meets a resource that is refused, and returns everything.
 * @param folder of synthesized sources
 */
export async function deployRefused(stage: Stage, folder: string): Promise<void> {
  const { account } = stage;
  const before = await versions(stage);
  const { ok, output } = await account.deploy(refusedCopy(folder));
  const stack = ['--stack-name', STACK];
  const status = await account.ask('cloudformation', 'describe-stacks', 'Stacks[0].StackStatus', ...stack);
  expect(!ok && status === 'UPDATE_ROLLBACK_COMPLETE', output);
  const after = await versions(stage);
  const moved = Object.keys(before).filter((name) => before[name] !== after[name]);
  expect(moved.length === 0, `These aliases call another version: ${moved.join(', ')}`);
}

/** With a resource that is refused once every alias has moved. */
function refusedCopy(folder: string): string {
  const copy = join(CLOUD_FOLDER, 'refused');
  rmSync(copy, { recursive: true, force: true });
  cpSync(join(folder, 'cdk.out'), join(copy, 'cdk.out'), { recursive: true });
  const assembly = join(copy, 'cdk.out', 'assembly-dev');
  const name = readdirSync(assembly).find((file) => file.endsWith('.template.json')) ?? '';
  const template = JSON.parse(readFileSync(join(assembly, name), 'utf8')) as {
    readonly Resources: Record<string, { readonly Type: string }>;
  };
  const aliases = Object.entries(template.Resources).flatMap(([id, { Type }]) =>
    Type === 'AWS::Lambda::Alias' ? [id] : [],
  );
  const Resources = { ...template.Resources, Refused: { ...REFUSED, DependsOn: aliases } };
  const text = JSON.stringify({ ...template, Resources });
  writeFileSync(join(assembly, name), text);
  // The bucket of templates has them by their hash.
  const hash = (content: string) => createHash('sha256').update(content).digest('hex');
  const old = /[0-9a-f]{64}(?=\.json)/.exec(readFileSync(join(assembly, 'manifest.json'), 'utf8'))?.[0] ?? '';
  for (const file of ['manifest.json', name.replace('.template.', '.assets.')]) {
    const path = join(assembly, file);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(old, hash(text)));
  }
  return copy;
}
