/** Deployments over a running stage, and its end. */
import { BUYER } from '#test/e2e/main-path-steps';
import { aLeadRequest } from '#test/factories/people';
import { change, copySources, STACK } from '#test/judges/cloud/deployment';
import { expect } from '#test/judges/cloud/findings';
import { mailCount, ready, type Stage } from '#test/judges/cloud/stage';

const OLD_TEXT = 'Method not allowed';
const NEW_TEXT = 'This method is not allowed';
const BROKEN = 'leads';

/** Sources with shorter logs, another answer of one function, and a second generation of all keys. */
export function nextSources(): string {
  const folder = copySources('next');
  const config = 'cdk/config.ts';
  change(folder, config, 'logDays: RetentionDays.ONE_WEEK', 'logDays: RetentionDays.THREE_DAYS');
  change(folder, config, '{ accepted: [1], current: 1 }', '{ accepted: [1, 2], current: 1 }');
  change(folder, config, 'applicationKeys: 1,', 'applicationKeys: 2,');
  change(folder, 'functions/http/unrouted.ts', OLD_TEXT, NEW_TEXT);
  return folder;
}

/** Sources of which one function does not start. */
export function brokenSources(): string {
  const folder = copySources('broken');
  const start = 'export const handler';
  change(
    folder,
    `functions/api/${BROKEN}/lambda.ts`,
    start,
    `throw new Error('broken on purpose');\n${start}`,
  );
  return folder;
}

export async function deployUnchanged({ account, sources }: Stage): Promise<string> {
  const { ok, output } = await account.deploy(sources);
  expect(ok && output.includes('(no changes)'), output);
  return 'no changes';
}

export async function deployNext(stage: Stage, folder: string): Promise<string> {
  const { account, admin, firstAdmin } = stage;
  const before = await versions(stage);
  const { ok, output } = await account.deploy(folder);
  expect(ok, output);
  const after = await versions(stage);
  const kept = Object.keys(before).filter((name) => before[name] === after[name]);
  expect(kept.length === 0, `These aliases still call the old version: ${kept.join(', ')}`);
  const days = new Set(
    (await account.ask('logs', 'describe-log-groups', 'logGroups[].retentionInDays')) as number[],
  );
  expect(days.size === 1 && days.has(3), `The logs are kept for ${[...days].join(' or ')} days`);
  const answer = JSON.stringify((await admin.raw('PUT', '/api/health', {})).body);
  expect(answer.includes(NEW_TEXT), `The old code answers: ${answer}`);
  const { status } = await admin.call('listBuyers');
  expect(status === 401, `A session of the old key is answered with ${status}`);
  await admin.logIn(firstAdmin);
  await leadArrives(stage, 'Schluessel', '+4930111401');
  return `${Object.keys(after).length} aliases moved, logs kept for 3 days, new text, old sessions ended, a password of the old key still sends`;
}

/** What the pipeline does: asks every function, and deploys the last good sources if one is not ready. */
export async function deployBroken(stage: Stage, broken: string, good: string): Promise<string> {
  const deployed = await stage.account.deploy(broken);
  expect(deployed.ok, deployed.output);
  const refusal = await ready(stage, [BROKEN]).then(() => '', String);
  expect(refusal.includes(`${BROKEN} is NOT ready`), `The broken function was not found: ${refusal}`);
  const back = await stage.account.deploy(good);
  expect(back.ok, back.output);
  await ready(stage, [BROKEN]);
  await leadArrives(stage, 'Wiederda', '+4930111402');
  return `${BROKEN} found not ready; the last good version is back and delivers`;
}

/** To the buyer of the main path, whose SMTP password was stored before. */
async function leadArrives({ admin, mails }: Stage, nachname: string, telefon: string): Promise<void> {
  const lead = aLeadRequest({ nachname, telefon, email: `${nachname}@example.org`, buyer_id: BUYER });
  const { status } = await admin.ok('createLead', { body: lead });
  expect(status === 'assigned', `The lead is ${status}`);
  await mailCount({ mails }, 1, nachname);
}

/** The versions behind the aliases that queues and the API call. */
export async function versions({ account, outputs }: Stage): Promise<Record<string, unknown>> {
  const entries = outputs.Functions.split(' ').map(async (name) => {
    const of = ['--function-name', `${STACK}-${name}`];
    return [name, await account.ask('lambda', 'list-aliases', 'Aliases[0].FunctionVersion', ...of)] as const;
  });
  return Object.fromEntries((await Promise.all(entries)).filter(([, version]) => version !== null));
}

/** What each service still has after the stage's end; those of the CDK's own bootstrap do not count. */
const INVENTORY = [
  ['cloudformation', 'list-stacks', "StackSummaries[?StackStatus!='DELETE_COMPLETE'].StackName"],
  ['lambda', 'list-functions', 'Functions[].FunctionName'],
  ['dynamodb', 'list-tables', 'TableNames'],
  ['s3api', 'list-buckets', 'Buckets[].Name'],
  ['sqs', 'list-queues', 'QueueUrls'],
  ['apigatewayv2', 'get-apis', 'Items[].Name'],
  ['cloudfront', 'list-distributions', 'DistributionList.Items[].Id'],
  ['secretsmanager', 'list-secrets', 'SecretList[].Name'],
  ['events', 'list-rules', 'Rules[].Name'],
  ['iam', 'list-roles', 'Roles[].RoleName'],
  ['logs', 'describe-log-groups', 'logGroups[].logGroupName'],
  ['kms', 'list-aliases', 'Aliases[].AliasName'],
] as const;
const OF_THE_BOOTSTRAP = /^(cdk-|CDKToolkit-)|^alias\/aws\//;

export async function destroy({ account, sources, outputs }: Stage): Promise<string> {
  const { ok, output } = await account.destroy(sources);
  expect(ok, output);
  const left = await Promise.all(
    INVENTORY.map(async ([service, list, query]) => {
      const names = ((await account.ask(service, list, query)) ?? []) as string[];
      return names.filter((name) => !OF_THE_BOOTSTRAP.test(name)).map((name) => `${service} ${name}`);
    }),
  );
  expect(left.flat().length === 0, `left over: ${left.flat().join(', ')}`);
  const state = await account.ask('kms', 'describe-key', 'KeyMetadata.KeyState', '--key-id', outputs.KeyArn);
  expect(state === 'PendingDeletion', `The key is ${String(state)}`);
  return 'the key, pending deletion';
}
