/** What would be deployed, per stage. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Match } from 'aws-cdk-lib/assertions';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '#cdk/bundling';
import { config, NO_ADDRESS_YET, STAGES, type Stage } from '#cdk/config';
import { STALE_AFTER_MS } from '#functions/domain/distribution/reconciliation';
import { API_FUNCTIONS, FUNCTION_SPECS } from '#functions/platform/functions';
import { METRICS } from '#functions/platform/metrics';
import { MAX_RUN_MS as REDISTRIBUTE_MAX_RUN_MS } from '#functions/workers/redistribute/index';
import { routes } from '#shared/contract/routes';
import { accepted } from '#test/cdk/accepted';
import { outline } from '#test/cdk/outline';
import { type Json, normalised, ofType, only, type Synthesised, synthesise } from '#test/cdk/synthesise';

const made: Record<Stage, Synthesised> = { dev: synthesise('dev'), prod: synthesise('prod') };
const { dev, prod } = made;
afterAll(() => expect(STAGES).toEqual(Object.keys(made)));

const ALARM_TEXT = /^(.+)\nNo data: (.+\.)\nRunbook: docs\/operations\/runbooks\/([a-z0-9-]+\.md)$/;
/** Of both stacks. */
const alarmsOf = ({ resources, edge }: Synthesised) =>
  [resources, edge?.toJSON().Resources ?? {}].flatMap((of: Json) => ofType(of, 'AWS::CloudWatch::Alarm'));

describe('the alarms of prod', () => {
  const alarms = alarmsOf(prod);

  it('leave no runbook without an alarm, but those of a stage with a domain and with a backup', () => {
    const named = alarms.map(([, { Properties }]) =>
      String(ALARM_TEXT.exec(Properties.AlarmDescription)![3]),
    );
    expect([...new Set([...named, 'site-unreachable.md', 'backup-missing.md'])].toSorted()).toEqual(
      readdirSync(join(ROOT, 'docs/operations/runbooks')).toSorted(),
    );
  });

  it('count refused calls by a status that is a text in the access log, which no comparison of numbers would match', () => {
    const [, stage] = only(prod.resources, 'AWS::ApiGatewayV2::Stage');
    expect(stage.Properties.AccessLogSettings.Format).toContain('"status":"$context.status"');
    for (const status of ['403', '429'])
      prod.product.hasResourceProperties('AWS::Logs::MetricFilter', {
        FilterPattern: `{ $.status = "${status}" }`,
      });
  });

  it('watch the share of requests that the firewall blocks, in its region', () => {
    const [, { Properties }] = alarms.find(([, of]) => of.Properties.AlarmName.endsWith('-firewall-blocks'))!;
    prod.edge!.hasResourceProperties('AWS::CloudWatch::Alarm', { AlarmName: Properties.AlarmName });
    const [, firewall] = only(prod.firewall!.toJSON().Resources, 'AWS::WAFv2::WebACL');
    for (const metric of ['BlockedRequests', 'AllowedRequests'])
      expect(Properties.Metrics.map(({ MetricStat }: Json) => MetricStat?.Metric)).toContainEqual({
        Namespace: 'AWS/WAFV2',
        MetricName: metric,
        Dimensions: [
          { Name: 'Rule', Value: 'ALL' },
          { Name: 'WebACL', Value: firewall.Properties.VisibilityConfig.MetricName },
        ],
      });
  });
});

describe('a stage that nobody is called for', () => {
  it('has nothing that is paid for by the month but its key and its secrets', () => {
    const types = Object.values(dev.resources).map(({ Type }) => Type);
    for (const paid of [
      'AWS::CloudWatch::',
      'AWS::Logs::MetricFilter',
      'AWS::SNS::',
      'AWS::WAFv2::',
      'AWS::Route53::',
    ])
      expect(types.filter((type) => type.startsWith(paid))).toEqual([]);
    expect(types.filter((type) => type === 'AWS::KMS::Key')).toHaveLength(1);
    expect(types.filter((type) => type === 'AWS::SecretsManager::Secret')).toHaveLength(4);
  });
});

describe('the throttle', () => {
  const [id, { Properties, DependsOn }] = only(prod.resources, 'AWS::ApiGatewayV2::Stage');
  const { ThrottlingRateLimit: rate } = Properties.DefaultRouteSettings;
  const settings: Record<string, { ThrottlingRateLimit: number; ThrottlingBurstLimit: number }> =
    Properties.RouteSettings;

  it('is one of its own for intake, so that no flood of other calls takes it', () => {
    expect(settings['POST /api/leads']).toEqual({ ThrottlingRateLimit: 500, ThrottlingBurstLimit: 1000 });
  });

  it('lets the public routes of buyers together have less than half of what the API has', () => {
    const buyers = Object.entries(settings).filter(([key]) => key.includes('/api/leads-view/'));
    expect(buyers.map(([key]) => key).toSorted()).toEqual(
      Object.values(routes)
        .filter(({ path }) => path.startsWith('/api/leads-view/'))
        .map(({ method, path }) => `${method} ${path}`)
        .toSorted(),
    );
    const together = buyers.reduce((sum, [, { ThrottlingRateLimit }]) => sum + ThrottlingRateLimit, 0);
    expect(together).toBeGreaterThan(0);
    expect(together).toBeLessThan(rate / 2);
  });

  it('is set after the routes that it names, which the stage would refuse to know', () => {
    for (const key of Object.keys(settings)) {
      const [route] = ofType(prod.resources, 'AWS::ApiGatewayV2::Route').find(
        ([, of]) => of.Properties.RouteKey === key,
      )!;
      expect(DependsOn, `${id} ${key}`).toContain(route);
    }
  });
});

describe('a stage whose operator has entered no address for alarms yet', () => {
  it('can be synthesised, and CloudFormation refuses every one of its stacks', () => {
    for (const template of [prod.product, prod.edge!, prod.firewall!]) {
      const { Parameters, Rules } = template.toJSON();
      expect(Parameters.AlarmAddress).toMatchObject({
        Default: NO_ADDRESS_YET,
        AllowedValues: [NO_ADDRESS_YET],
      });
      const [{ Assert, AssertDescription }] = Rules.AlarmAddressIsEntered.Assertions;
      expect(Assert).toEqual({ 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'AlarmAddress' }, NO_ADDRESS_YET] }] });
      expect(AssertDescription).toContain('alarmEmail in cdk/config.ts');
    }
    expect(Object.keys(dev.product.toJSON().Rules)).toEqual(['CheckBootstrapVersion']);
  });
});

describe.each(STAGES)('stage %s', (stage) => {
  const { product, edge, firewall, resources, findings } = made[stage];

  it('has the template of the snapshot', async () => {
    const base = stage === 'prod' ? undefined : prod.product;
    await expect(outline(product, base)).toMatchFileSnapshot(`__snapshots__/${stage}.txt`);
    for (const [part, template] of Object.entries({ edge, firewall }))
      if (template !== undefined)
        await expect(outline(template)).toMatchFileSnapshot(`__snapshots__/${stage}-${part}.txt`);
  });

  it('has an answer to every finding of the security checks', () => {
    expect(findings).toEqual([]);
  });

  it('accepts a finding only at the resource that has it, and of permissions only the one that is named', () => {
    const { idle, wide, used } = accepted(made[stage].stage);
    expect(idle).toEqual([]);
    expect(wide).toEqual([]);
    expect(used).toBeGreaterThan(100);
  });

  it('gives a written reason for every finding that it accepts', () => {
    const rules = Object.values(resources).flatMap(
      (resource) => resource.Metadata?.cdk_nag?.rules_to_suppress ?? [],
    );
    expect(rules.length).toBeGreaterThan(0);
    for (const rule of rules) expect(rule.reason.length).toBeGreaterThan(25);
  });

  it('fits into one stack', () => {
    expect(Object.keys(resources).length).toBeLessThan(450);
  });

  it('has exactly the routes of the contract, each to the function that owns it, and one for all else', () => {
    const got = ofType(resources, 'AWS::ApiGatewayV2::Route').map(([, { Properties: route }]) => {
      expect(route.AuthorizationType).toBe('NONE');
      const [integration] = /[A-Za-z0-9]+$/.exec(route.Target['Fn::Join'][1].at(-1).Ref)!;
      const { 'Fn::GetAtt': direct, Ref: alias } = resources[integration]!.Properties.IntegrationUri;
      const fn = direct?.[0] ?? resources[alias]!.Properties.FunctionName.Ref;
      return `${route.RouteKey} ${resources[fn]!.Properties.FunctionName}`;
    });
    const wanted = [
      ...Object.values(routes).map(
        ({ method, path, fn }) => `${method} ${path} lead-distribution-${stage}-${fn}`,
      ),
      `$default lead-distribution-${stage}-meta`,
    ];
    expect(got.toSorted()).toEqual(wanted.toSorted());
  });

  it('gives every function a log that ends', () => {
    // Lambda would make a log that never ends for a function that names none.
    for (const [id, fn] of ofType(resources, 'AWS::Lambda::Function'))
      if (!id.startsWith('CustomS3AutoDelete'))
        expect(resources[fn.Properties.LoggingConfig?.LogGroup.Ref]?.Type, id).toBe('AWS::Logs::LogGroup');
    for (const [id, log] of ofType(resources, 'AWS::Logs::LogGroup'))
      expect(log.Properties.RetentionInDays, id).toBeGreaterThan(0);
  });

  it('is deployed by the roles of its own bootstrap', () => {
    const { artifacts } = made[stage].manifest;
    const roles = JSON.stringify(artifacts).match(/role\/cdk-[a-z0-9]+/g) ?? [];
    expect(new Set(roles)).toEqual(new Set([`role/cdk-leads${stage}`]));
  });

  it('gives every function a role of its own', () => {
    const roles = ofType(resources, 'AWS::Lambda::Function').map(
      ([, { Properties }]) => Properties.Role['Fn::GetAtt'][0],
    );
    expect(new Set(roles).size).toBe(roles.length);
  });

  it('reaches leads and deliver by an alias, whose new versions an alarm takes back', () => {
    const aliases = ofType(resources, 'AWS::Lambda::Alias');
    const named = aliases.map(([, { Properties }]) =>
      String(resources[Properties.FunctionName.Ref]!.Properties.FunctionName),
    );
    const prefix = `lead-distribution-${stage}`;
    expect(named.toSorted()).toEqual([`${prefix}-deliver`, `${prefix}-leads`]);
    for (const [id, alias] of aliases) {
      const { ApplicationName, DeploymentGroupName } = alias.UpdatePolicy.CodeDeployLambdaAliasUpdate;
      expect(resources[ApplicationName.Ref]!.Type, id).toBe('AWS::CodeDeploy::Application');
      const group = resources[DeploymentGroupName.Ref]!.Properties;
      expect(group.DeploymentConfigName).toBe(
        stage === 'prod'
          ? 'CodeDeployDefault.LambdaCanary10Percent5Minutes'
          : 'CodeDeployDefault.LambdaAllAtOnce',
      );
      expect(group.AutoRollbackConfiguration).toEqual({
        Enabled: true,
        Events: ['DEPLOYMENT_FAILURE', ...(config[stage].watched ? ['DEPLOYMENT_STOP_ON_ALARM'] : [])],
      });
      if (!config[stage].watched) continue;
      const [{ Name }] = group.AlarmConfiguration.Alarms;
      expect(resources[Name.Ref]!.Properties.AlarmName).toMatch(/-(leads|deliver)-new-version$/);
    }
    // Nothing reaches the two beside their aliases.
    const starting = JSON.stringify([
      ...ofType(resources, 'AWS::ApiGatewayV2::Integration').map(
        ([, { Properties }]) => Properties.IntegrationUri,
      ),
      ...ofType(resources, 'AWS::Lambda::EventSourceMapping').map(
        ([, { Properties }]) => Properties.FunctionName,
      ),
    ]);
    for (const [id, { Properties }] of aliases) {
      expect(starting).toContain(`"${id}"`);
      expect(starting).not.toContain(`"${Properties.FunctionName.Ref}"`);
    }
  });

  it('keeps exports, which name persons, for a day', () => {
    const [, exports] = ofType(resources, 'AWS::S3::Bucket').find(([id]) => id.startsWith('Exports'))!;
    expect(exports.Properties.LifecycleConfiguration.Rules).toContainEqual(
      expect.objectContaining({ ExpirationInDays: 1, Status: 'Enabled' }),
    );
  });

  it('names every alarm’s impact, what silence means and a runbook that exists', () => {
    for (const [id, { Properties }] of alarmsOf(made[stage])) {
      const [, impact, silence, runbook] = ALARM_TEXT.exec(Properties.AlarmDescription)!;
      expect(impact!.length, id).toBeGreaterThan(30);
      expect(silence!.length, id).toBeGreaterThan(10);
      expect(existsSync(join(ROOT, 'docs/operations/runbooks', runbook!)), runbook).toBe(true);
      expect(Properties.AlarmActions, id).toHaveLength(1);
      expect(Properties.OKActions, id).toHaveLength(1);
    }
  });

  it.runIf(config[stage].watched)(
    'pays for no metrics by route, and counts refused log-ins by the log',
    () => {
      const [, stageOfApi] = only(resources, 'AWS::ApiGatewayV2::Stage');
      expect(stageOfApi.Properties.DefaultRouteSettings.DetailedMetricsEnabled ?? false).toBe(false);
      product.hasResourceProperties('AWS::Logs::MetricFilter', {
        FilterPattern: '{ ($.code = "invalid_credentials") || ($.code = "too_many_attempts") }',
        MetricTransformations: [Match.objectLike({ MetricName: 'RefusedLogins' })],
      });
    },
  );

  it.runIf(config[stage].watched)('shows and watches only metrics that the functions record', () => {
    const text = JSON.stringify(product.toJSON());
    for (const name of Object.keys(METRICS).filter(
      (metric) => metric !== 'DeliveriesDelivered' && metric !== 'LeadsRepaired',
    ))
      expect(text).toContain(name);
  });

  it.runIf(config[stage].watched)('sums up in a graph the metrics that belong together only', () => {
    const [, { Properties }] = only(resources, 'AWS::CloudWatch::Dashboard');
    const body = JSON.stringify(Properties.DashboardBody);
    expect(body).not.toContain('METRICS()');
    expect(body).toContain(
      'SUM([sent_deliver, sent_notify, sent_callback, sent_redistribute, sent_distribute, sent_bounces])',
    );
  });

  it('serves the API uncached, with the origin secret and the viewer’s address', () => {
    const [, distribution] = only(resources, 'AWS::CloudFront::Distribution');
    const { CacheBehaviors: behaviours, Origins: origins } = distribution.Properties.DistributionConfig;
    const calls = behaviours.find((behaviour: Json) => behaviour.PathPattern === '/api/*');
    expect(calls).toMatchObject({
      // Managed-CachingDisabled
      CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
      ViewerProtocolPolicy: 'redirect-to-https',
    });
    expect(calls.AllowedMethods).toEqual(expect.arrayContaining(['GET', 'POST', 'PUT', 'DELETE']));
    const origin = origins.find(({ Id }: Json) => Id === calls.TargetOriginId);
    expect(origin.CustomOriginConfig.OriginProtocolPolicy).toBe('https-only');
    expect(origin.OriginCustomHeaders).toHaveLength(1);
    expect(origin.OriginCustomHeaders[0].HeaderName).toBe('x-origin-verify');
    expect(JSON.stringify(origin.OriginCustomHeaders[0].HeaderValue)).toContain('resolve:secretsmanager');
    const [, policy] = only(resources, 'AWS::CloudFront::OriginRequestPolicy');
    const { Headers } = policy.Properties.OriginRequestPolicyConfig.HeadersConfig;
    expect(Headers).toContain('CloudFront-Viewer-Address');
    expect(Headers).toContain('Origin');
    // What the API reads of a request besides.
    expect(Headers).toEqual(expect.arrayContaining(['Idempotency-Key', 'x-accepted-encoding']));
    expect(calls.FunctionAssociations).toHaveLength(1);
    expect(Headers).not.toContain('Host');
  });

  it('serves the page of the API document from the web app, although its path begins with /api', () => {
    const [, distribution] = only(resources, 'AWS::CloudFront::Distribution');
    const behaviours: Json[] = distribution.Properties.DistributionConfig.CacheBehaviors;
    const paths = behaviours.map(({ PathPattern }) => PathPattern);
    expect(paths.indexOf('/api/docs')).toBeLessThan(paths.indexOf('/api/*'));
    const page = behaviours.find(({ PathPattern }) => PathPattern === '/api/docs');
    const admin = behaviours.find(({ PathPattern }) => PathPattern === '/admin-assets/*');
    expect(page?.TargetOriginId).toBe(admin?.TargetOriginId);
    // The fallback to the app's document.
    expect(page?.FunctionAssociations).toHaveLength(1);
  });

  it('opens the admin’s files to signed cookies only, and everything else of the site to everyone', () => {
    const [, distribution] = only(resources, 'AWS::CloudFront::Distribution');
    const { DefaultCacheBehavior: open, CacheBehaviors: others } = distribution.Properties.DistributionConfig;
    expect(open.TrustedKeyGroups).toBeUndefined();
    const [keyGroup] = ofType(resources, 'AWS::CloudFront::KeyGroup')[0]!;
    const gated = others.filter((behaviour: Json) => behaviour.TrustedKeyGroups !== undefined);
    expect(gated.map((behaviour: Json) => behaviour.PathPattern)).toEqual(['/admin-assets/*']);
    expect(gated[0].TrustedKeyGroups).toEqual([{ Ref: keyGroup }]);
  });

  it('falls back to the app by rewriting paths, never by turning errors into pages', () => {
    const [, distribution] = only(resources, 'AWS::CloudFront::Distribution');
    const { DefaultCacheBehavior, CustomErrorResponses } = distribution.Properties.DistributionConfig;
    expect(CustomErrorResponses).toBeUndefined();
    expect(DefaultCacheBehavior.FunctionAssociations).toHaveLength(1);
  });

  it('uploads the files that are named by their content before the document that names them', () => {
    const uploads = ofType(resources, 'Custom::CDKBucketDeployment');
    expect(uploads).toHaveLength(2);
    const [hashed] = uploads.find(([, { Properties }]) => Properties.Include !== undefined)!;
    const [, documents] = uploads.find(([, { Properties }]) => Properties.DistributionPaths !== undefined)!;
    expect(documents.DependsOn).toContain(hashed);
    expect(documents.Properties.SystemMetadata['cache-control']).toBe('no-cache');
    expect(documents.Properties.Prune).toBe(false);
  });

  it('sends the strict headers with every answer of the site', () => {
    const policies = ofType(resources, 'AWS::CloudFront::ResponseHeadersPolicy');
    expect(policies).toHaveLength(2);
    const [headers, same] = policies.map(
      ([, { Properties }]) => Properties.ResponseHeadersPolicyConfig.SecurityHeadersConfig,
    );
    expect(same).toEqual(headers);
    expect(headers.ContentSecurityPolicy.ContentSecurityPolicy).toMatch(/default-src 'self'/);
    expect(headers.ContentSecurityPolicy.ContentSecurityPolicy).not.toMatch(/script-src[^;]*unsafe/);
    expect(headers.StrictTransportSecurity.AccessControlMaxAgeSec).toBe(730 * 24 * 3600);
    expect(headers.ReferrerPolicy.ReferrerPolicy).toBe('no-referrer');
    expect(headers.FrameOptions.FrameOption).toBe('DENY');
    expect(headers.ContentTypeOptions).toBeDefined();
    const [, distribution] = only(resources, 'AWS::CloudFront::Distribution');
    const { DefaultCacheBehavior, CacheBehaviors } = distribution.Properties.DistributionConfig;
    for (const behaviour of [DefaultCacheBehavior, ...CacheBehaviors])
      expect(behaviour.ResponseHeadersPolicyId).toBeDefined();
  });

  it('keeps link pages and the status page, and them alone, from search engines', () => {
    const [, distribution] = only(resources, 'AWS::CloudFront::Distribution');
    const { CacheBehaviors } = distribution.Properties.DistributionConfig;
    const hiding = ofType(resources, 'AWS::CloudFront::ResponseHeadersPolicy').filter(([, policy]) =>
      JSON.stringify(policy).includes('noindex'),
    );
    expect(hiding).toHaveLength(1);
    const hidden = CacheBehaviors.filter(
      ({ ResponseHeadersPolicyId }: Json) => ResponseHeadersPolicyId.Ref === hiding[0]?.[0],
    );
    expect(hidden.map(({ PathPattern }: Json) => PathPattern)).toEqual([
      '/leads/*',
      '/specification/*',
      '/status',
    ]);
    expect(hidden[0].FunctionAssociations).toHaveLength(1);
  });

  it('contains no secret: every secret is generated in the cloud and referred to', () => {
    const secrets = ofType(resources, 'AWS::SecretsManager::Secret');
    expect(secrets.length).toBeGreaterThanOrEqual(4);
    for (const [, { Properties }] of secrets) {
      expect(Properties.SecretString).toBeUndefined();
      expect(Properties.GenerateSecretString).toBeDefined();
    }
    expect(JSON.stringify(product.toJSON())).not.toMatch(/PRIVATE KEY|AKIA[A-Z0-9]{16}/);
  });

  it('logs neither path nor address of a call', () => {
    const [, { Properties }] = only(resources, 'AWS::ApiGatewayV2::Stage');
    expect(Properties.AccessLogSettings.Format).not.toMatch(/sourceIp|\.path|userAgent|rawPath|authorizer/);
    expect(Properties.AccessLogSettings.Format).toContain('$context.routeKey');
  });

  it('is synthesised to the same template again', () => {
    expect(normalised(synthesise(stage).product)).toEqual(normalised(product));
  });
});

describe('a stage that keeps data', () => {
  const stateful = ['AWS::DynamoDB::GlobalTable', 'AWS::KMS::Key', 'AWS::S3::Bucket'] as const;

  it('survives the deletion of its stack', () => {
    for (const type of stateful)
      for (const [id, resource] of ofType(prod.resources, type)) {
        expect(resource.DeletionPolicy, id).toMatch(/^Retain/);
        expect(resource.UpdateReplacePolicy, id).toBe('Retain');
      }
    for (const id of ['ApplicationKeys', 'FirstAdmin'])
      expect(
        ofType(prod.resources, 'AWS::SecretsManager::Secret').find(([key]) => key.startsWith(id))![1]
          .DeletionPolicy,
      ).toBe('RetainExceptOnCreate');
    prod.product.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      Replicas: [Match.objectLike({ DeletionProtectionEnabled: true })],
    });
    expect(prod.stage.product.terminationProtection).toBe(true);
    expect(dev.stage.product.terminationProtection).toBe(false);
  });

  it('is deleted with its stack where it is not kept, its buckets emptied first', () => {
    const emptied = ({ resources }: Synthesised) =>
      ofType(resources, 'Custom::S3AutoDeleteObjects')
        .map(([, { Properties }]) => String(Properties.BucketName.Ref))
        .toSorted();
    expect(emptied(dev)).toEqual([
      'AuditHeads7A106801',
      'ErasedLeadsEE97E4BF',
      'Exports25637AFB',
      'SiteFiles975A43CF',
    ]);
    expect(emptied(prod)).toEqual([]);
  });

  it('locks every version of the audit trail’s heads, for whoever owns the account as well', () => {
    const heads = (from: Synthesised) =>
      ofType(from.resources, 'AWS::S3::Bucket').find(([id]) => id.startsWith('AuditHeads'))?.[1].Properties;
    expect(heads(prod)).toMatchObject({
      VersioningConfiguration: { Status: 'Enabled' },
      ObjectLockEnabled: true,
      ObjectLockConfiguration: {
        ObjectLockEnabled: 'Enabled',
        Rule: { DefaultRetention: { Mode: 'COMPLIANCE', Days: 4 * 366 } },
      },
    });
    expect(heads(dev)).not.toHaveProperty('ObjectLockConfiguration');
  });

  it('never replaces a stateful resource: neither its logical id nor a property that would replace it changes', () => {
    const kept = Object.entries(prod.resources)
      .filter(([, { Type }]) => [...stateful, 'AWS::SecretsManager::Secret'].includes(Type))
      .map(([id, { Type }]) => `${Type} ${id}`);
    expect(kept.toSorted()).toMatchInlineSnapshot(`
      [
        "AWS::DynamoDB::GlobalTable TableCD117FA1",
        "AWS::KMS::Key Key961B73FD",
        "AWS::S3::Bucket AuditHeads7A106801",
        "AWS::S3::Bucket ErasedLeadsEE97E4BF",
        "AWS::S3::Bucket Exports25637AFB",
        "AWS::S3::Bucket SiteFiles975A43CF",
        "AWS::SecretsManager::Secret ApplicationKeys8D4D58F9",
        "AWS::SecretsManager::Secret FirstAdminA5359B9E",
        "AWS::SecretsManager::Secret OriginSecretSecret15FF94D90",
        "AWS::SecretsManager::Secret SiteGatePrivateKey16FB87614",
      ]
    `);
    const [, table] = only(prod.resources, 'AWS::DynamoDB::GlobalTable');
    // A change of any of these makes CloudFormation build a new table.
    expect(table.Properties).toMatchObject({ KeySchema: [{ AttributeName: 'pk' }, { AttributeName: 'sk' }] });
    expect(table.Properties.TableName).toBeUndefined();
    expect(table.Properties.LocalSecondaryIndexes).toBeUndefined();
  });
});

describe('the functions', () => {
  it('time out before reconciliation restarts their distribution attempts', () => {
    for (const name of [
      'leads',
      'pending-leads',
      'orders',
      'redistribute',
      'distribute',
      'reconcile',
    ] as const)
      expect(FUNCTION_SPECS[name].timeout * 1000, name).toBeLessThan(STALE_AFTER_MS);
  });

  it('give redistribution time to finish its last distribution attempt after it has stopped', () => {
    expect(REDISTRIBUTE_MAX_RUN_MS + 10_000).toBeLessThan(FUNCTION_SPECS.redistribute.timeout * 1000);
  });

  it('answer before CloudFront stops waiting', () => {
    for (const name of API_FUNCTIONS) expect(FUNCTION_SPECS[name].timeout, name).toBeLessThan(30);
  });
});
