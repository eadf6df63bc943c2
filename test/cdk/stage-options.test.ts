/** A stage's options, and how a rotation changes the templates. */
import { App, Aspects, Stage as CdkStage, type Environment } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { config, type Repository, repository } from '#cdk/config';
import type { StageConfig } from '#cdk/config-schema';
import { DRIFT_READS } from '#cdk/drift-reads';
import { PipelineStack } from '#cdk/stacks/pipeline-stack';
import { addBackupVault, addEdge, addPullRequestStage } from '#cdk/stages';
import { FUNCTION_TABLE, FUNCTIONS } from '#functions/platform/functions';
import { accepted } from '#test/cdk/accepted';
import { ACCOUNT, backup } from '#test/cdk/backup';
import { cdkCommands, readByCdk } from '#test/cdk/command-line';
import { outline } from '#test/cdk/outline';
import { type Json, ofType, only, type Synthesised, synthesise } from '#test/cdk/synthesise';

const domain = {
  name: 'leads.example.com',
  zone: { id: 'Z0000000000000000000', name: 'example.com' },
} as const;

const prod = synthesise('prod');
const everything = synthesise('prod', {
  domain,
  alarmEmail: 'ops@example.com',
  account: ACCOUNT,
  backup,
  mail: { from: 'system@example.com', operator: 'ops@example.com', identity: 'domain' },
  providerKeys: {
    secretName: 'lead-distribution/prod/providers',
    generation: 4,
    keys: ['ZEROBOUNCE_API_KEY'],
  },
});
const CLEAN = { open: [], idle: [], wide: [] };
const vaultOf = (stage: string, stageConfig: StageConfig) => addBackupVault(new App(), stage, stageConfig);

describe('a stage with all options', () => {
  const { product, edge, certificate, firewall, stage, findings } = everything;
  const vault = vaultOf('prod', { ...config.prod, account: ACCOUNT, backup })!;

  it('matches the snapshots', async () => {
    const parts = [outline(edge!, prod.edge), outline(certificate!), outline(Template.fromStack(vault))];
    await expect([outline(product, prod.product), ...parts].join('\n')).toMatchFileSnapshot(
      '__snapshots__/everything.txt',
    );
  });

  it('has an acceptance for every security finding, at the affected resource', () => {
    expect(findings).toEqual([]);
    expect(accepted(stage)).toMatchObject(CLEAN);
    expect(accepted(vault)).toMatchObject(CLEAN);
  });

  it('has no resource type without drift detection', () => {
    const types = [product, edge!, certificate!, firewall!]
      .flatMap((template) => Object.values<Json>(template.toJSON().Resources))
      .map(({ Type }) => String(Type))
      .filter((type) => type.startsWith('AWS::') && type !== 'AWS::CloudFormation::CustomResource');
    expect([...new Set(types)].filter((type) => DRIFT_READS[type] === undefined)).toEqual([]);
  });

  it('gives every function the variables that it reads, and no other', () => {
    const given = new Map<string, string[]>(
      ofType(everything.resources, 'AWS::Lambda::Function').map(([, { Properties }]) => [
        Properties.FunctionName,
        Object.keys(Properties.Environment?.Variables ?? {}).toSorted(),
      ]),
    );
    const anywhere = new Set([...given.values()].flat());
    for (const name of FUNCTIONS) {
      const read = Object.keys(FUNCTION_TABLE[name].environment.shape).filter((one) => anywhere.has(one));
      const more = [
        'METRICS_NAMESPACE',
        'NODE_OPTIONS',
        ...(read.includes('KEYS_ARN') ? ['KEYS_GENERATION'] : []),
        ...(read.includes('ZEROBOUNCE_API_KEY') ? ['PROVIDER_KEYS_GENERATION'] : []),
      ];
      expect(given.get(`lead-distribution-prod-${name}`), name).toEqual([...read, ...more].toSorted());
    }
  });

  it('has a backup vault in another account and region, unlike a stage without a backup', () => {
    expect([vault.account, vault.region]).toEqual([backup.account, 'eu-west-1']);
    expect(vaultOf('dev', config.dev)).toBeUndefined();
  });
});

describe('changing or leaving out domain and firewall', () => {
  const limits = { requests: 1000, logins: 20 };
  const other = { ...domain, name: 'new.example.com' };
  /** Resources in us-east-1 used by the distribution, by stack name. */
  const usedIn = (changes: object) => {
    const stage = new CdkStage(new App(), 'prod');
    const edge = addEdge(stage, 'prod', { ...config.prod, firewall: undefined, ...changes });
    const stacks = Object.values(edge).filter((stack) => stack !== undefined);
    return new Map<string, string>(
      stacks.map((stack) => [
        stack.stackName,
        Object.entries<Json>(Template.fromStack(stack).toJSON().Resources)
          .filter(([, { Type }]) =>
            ['AWS::CertificateManager::Certificate', 'AWS::WAFv2::WebACL'].includes(Type),
          )
          .map(([id, { Properties }]) => `${id} ${Properties.DomainName ?? Properties.Name}`)
          .join(),
      ]),
    );
  };

  it.each<[string, object, object]>([
    ['the domain leaves', { domain, firewall: limits }, { firewall: limits }],
    ['the domain comes', { firewall: limits }, { domain, firewall: limits }],
    ['the domain changes', { domain, firewall: limits }, { domain: other, firewall: limits }],
    ['the firewall leaves', { domain, firewall: limits }, { domain }],
    ['both leave', { domain, firewall: limits }, {}],
  ])('deletes nothing used by CloudFront if %s', (_, before, after) => {
    const [earlier, later] = [usedIn(before), usedIn(after)];
    expect([...earlier.values()].some((used) => used !== '')).toBe(true);
    // A stack that is still deployed keeps the resources until the distribution has released them; the other stacks do not
    // change.
    for (const [name, used] of earlier) if (later.has(name)) expect(later.get(name), name).toBe(used);
  });

  it('is possible in any order, because stacks do not use exports', () => {
    const text = JSON.stringify(everything.product.toJSON());
    expect(text).toContain('Fn::GetStackOutput');
    expect(text).not.toMatch(/Fn::ImportValue|CrossRegionExport|ExportsReader/);
    expect(JSON.stringify(everything.certificate!.toJSON())).not.toMatch(/"Export"|CrossRegionExport/);
  });
});

/** A stage with these generations of its keys and secrets, which are rotated the same way. */
function generations(accepted: number[], current: number) {
  const rotated = { accepted, current };
  const { resources } = synthesise('dev', {
    siteGateKeys: rotated,
    originSecrets: rotated,
    applicationKeys: current,
  });
  const variablesOf = (name: string): Json =>
    ofType(resources, 'AWS::Lambda::Function').find(
      ([, { Properties }]) => Properties.FunctionName === `lead-distribution-dev-${name}`,
    )![1].Properties.Environment.Variables;
  const idsOf = (type: string) => ofType(resources, type).map(([id]) => id);
  const [, group] = only(resources, 'AWS::CloudFront::KeyGroup');
  const [, { Properties }] = only(resources, 'AWS::CloudFront::Distribution');
  return {
    trusted: group.Properties.KeyGroupConfig.Items.map(({ Ref }: { Ref: string }) => Ref) as string[],
    signing: variablesOf('auth').CLOUDFRONT_KEY_PAIR_ID.Ref as string,
    secrets: idsOf('AWS::SecretsManager::Secret'),
    sent: JSON.stringify(
      Properties.DistributionConfig.Origins.flatMap(
        ({ OriginCustomHeaders }: Json) => OriginCustomHeaders ?? [],
      ),
    ),
    expected: JSON.stringify(variablesOf('leads').ORIGIN_SECRET_ARN),
    versions: idsOf('AWS::Lambda::Version'),
  };
}

describe('a rotation', () => {
  const before = generations([1], 1);
  const added = generations([1, 2], 1);
  const switched = generations([1, 2], 2);
  const after = generations([2], 2);

  it('of the site gate’s keys first trusts the new key, then signs with it, and removes the old one last', () => {
    expect(added.trusted).toHaveLength(2);
    expect(added.trusted).toContain(before.trusted[0]);
    expect(added.signing).toBe(before.signing);
    expect(switched.signing).not.toBe(before.signing);
    expect(switched.trusted).toEqual(added.trusted);
    expect(after.trusted).toEqual([switched.signing]);
    expect(added.secrets.filter((id) => !after.secrets.includes(id) && id.includes('SiteGate'))).toHaveLength(
      1,
    );
  });

  it('of the origin secret makes the API accept the new value before CloudFront sends it', () => {
    expect(added.sent).toBe(before.sent);
    expect(added.expected).toMatch(/OriginSecretSecret1.*,.*OriginSecretSecret2/);
    expect(switched.sent).toContain('OriginSecretSecret2');
    expect(switched.expected).toBe(added.expected);
  });

  it('of the application keys publishes new versions of functions behind an alias, which would keep the old keys', () => {
    expect(before.versions).toHaveLength(2);
    expect(switched.versions.filter((id) => added.versions.includes(id))).toEqual([]);
  });
});

describe('a pull request stage', () => {
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [], stage: 'pr-12' } });
  const stack = addPullRequestStage(app, 'pr-12');
  const resources: Json = Template.fromStack(stack).toJSON().Resources;

  it('is the only stack of the app, so that it needs no name', () => {
    expect(app.synth().stacksRecursively.map(({ stackName }) => stackName)).toEqual([
      'lead-distribution-pr-12',
    ]);
    expect(stack.terminationProtection).toBe(false);
  });

  it('has every function with unique names, and no alarms', () => {
    const text = JSON.stringify(resources);
    for (const name of FUNCTIONS) expect(text).toContain(`"lead-distribution-pr-12-${name}"`);
    expect(text).not.toMatch(/lead-distribution-(dev|prod)/);
    expect(text).not.toMatch(/"Type":"AWS::(CloudWatch|SNS|WAFv2|Route53|SES)::/);
  });

  it('can be destroyed completely, without retained or protected resources', () => {
    for (const [id, { DeletionPolicy, UpdateReplacePolicy }] of Object.entries<Json>(resources)) {
      expect(DeletionPolicy ?? 'Delete', id).toBe('Delete');
      expect(UpdateReplacePolicy ?? 'Delete', id).toBe('Delete');
    }
    const [, table] = only(resources, 'AWS::DynamoDB::GlobalTable');
    expect(table.Properties.Replicas[0].DeletionProtectionEnabled ?? false).toBe(false);
    expect(ofType(resources, 'Custom::S3AutoDeleteObjects')).toHaveLength(
      ofType(resources, 'AWS::S3::Bucket').length,
    );
  });

  it.each(['prod', 'dev', 'pr-', 'pr-0', 'pr-1x', '../prod'])('cannot have the name %s', (name) => {
    expect(() => addPullRequestStage(new App(), name)).toThrow(/pr-12/);
  });
});

describe('the first deployment of a stage that keeps data', async () => {
  const command = cdkCommands('docs/operations/first-deployment.md').find((one) => one.includes('-c first'))!;
  const first = synthesise('prod', {}, (await readByCdk(command)).context);

  it('can be rolled back and repeated by the documented command, because only files are retained', () => {
    const protectionOf = (of: Synthesised) => [
      of.stage.product.terminationProtection,
      only(of.resources, 'AWS::DynamoDB::GlobalTable')[1].Properties.Replicas[0].DeletionProtectionEnabled,
    ];
    expect(protectionOf(prod)).toEqual([true, true]);
    expect(protectionOf(first)).toEqual([false, false]);
    for (const type of ['AWS::DynamoDB::GlobalTable', 'AWS::KMS::Key', 'AWS::S3::Bucket'])
      for (const [id, { DeletionPolicy, UpdateReplacePolicy }] of ofType(first.resources, type)) {
        expect(DeletionPolicy, id).toBe(id.startsWith('SiteFiles') ? 'Retain' : 'RetainExceptOnCreate');
        expect(UpdateReplacePolicy, id).toBe('Retain');
      }
  });

  it('accepts no other value', () => {
    expect(() => synthesise('prod', {}, { first: 'true' })).toThrow('only -c first=1 exists');
  });
});

describe('a restored table', () => {
  const arn = 'arn:aws:dynamodb:eu-central-1:111122223333:table/restored';
  const { stage, product, resources } = synthesise('prod', {
    restoredTable: { name: 'restored', streamArn: `${arn}/stream/2026-01-01T00:00:00.000` },
  });

  it('is used by roles with individually accepted wide permissions', () => {
    expect(accepted(stage)).toMatchObject(CLEAN);
  });

  it('replaces the stack’s own table in every function, and the old table is kept', () => {
    for (const [id, { Properties }] of ofType(resources, 'AWS::Lambda::Function')) {
      const name = Properties.Environment?.Variables?.TABLE_NAME;
      if (name !== undefined) expect(name, id).toBe('restored');
    }
    for (const [, { Properties }] of ofType(resources, 'AWS::Lambda::EventSourceMapping'))
      if (Properties.StartingPosition !== undefined)
        expect(Properties.EventSourceArn).toBe(`${arn}/stream/2026-01-01T00:00:00.000`);
    product.resourceCountIs('AWS::DynamoDB::GlobalTable', 1);
  });

  it('has the same permissions as the replaced table', () => {
    const policies = JSON.stringify(ofType(resources, 'AWS::IAM::Role'));
    expect(policies).toContain(':table/restored');
    expect(policies).toContain('/index/gsi1');
  });
});

describe('the roles of CI', () => {
  const rolesFor = (of: Repository, env?: Environment) => {
    const stack = new PipelineStack(new App(), 'pipeline', {
      repository: of,
      qualifiers: { dev: 'onlydev', prod: 'onlyprod' },
      ...(env !== undefined && { env }),
    });
    Aspects.of(stack).add(new AwsSolutionsChecks());
    const template = Template.fromStack(stack);
    const errors = Annotations.fromStack(stack).findError('*', Match.anyValue());
    return { stack, template, errors };
  };
  const { stack, template, errors } = rolesFor({ owner: 'acme', name: 'leads' });

  it('match the snapshot', async () => {
    expect(errors).toEqual([]);
    await expect(JSON.stringify(template.toJSON(), undefined, 2)).toMatchFileSnapshot(
      '__snapshots__/pipeline.json',
    );
  });

  it('pass the security checks in the account of the credentials', () => {
    const env = { account: ACCOUNT, region: 'eu-central-1' };
    expect(rolesFor({ owner: 'acme', name: 'leads' }, env).errors).toEqual([]);
  });

  it('identify a repository by its numeric IDs if its tokens contain them', () => {
    const ids = { owner: 123_456, repository: 456_789 };
    const text = JSON.stringify(rolesFor({ owner: 'acme', name: 'leads', ids }).template.toJSON());
    expect(text).toContain('repo:acme@123456/leads@456789:pull_request');
    expect(text).not.toContain('repo:acme/leads');
  });

  it('use an existing provider of the account', () => {
    const { template: other } = rolesFor({ owner: 'acme', name: 'leads', providerExists: true });
    other.resourceCountIs('AWS::IAM::OIDCProvider', 0);
    expect(JSON.stringify(other.toJSON())).toContain(':oidc-provider/token.actions.githubusercontent.com');
  });

  it('are not created without a configured repository', () => {
    const [error, ...more] = rolesFor(repository).errors;
    expect(error?.entry.data).toMatch(/^Enter your repository in cdk\/config\.ts/);
    expect(more).toEqual([]);
  });

  it('pass the security checks, with every wide permission accepted by name', () => {
    expect(accepted(stack)).toEqual({ ...CLEAN, used: 5 });
  });
});
