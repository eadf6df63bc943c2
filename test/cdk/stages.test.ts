/** Snapshots of the templates per stage, and properties across templates. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#cdk/bundling';
import { config, STAGES, type Stage } from '#cdk/config';
import { STALE_AFTER_MS } from '#functions/domain/distribution/reconciliation';
import { API_FUNCTIONS, FUNCTION_SPECS, FUNCTIONS } from '#functions/platform/functions';
import { METRICS } from '#functions/platform/metrics';
import { MAX_RUN_MS as REDISTRIBUTE_MAX_RUN_MS } from '#functions/workers/redistribute/index';
import { routes } from '#shared/contract/routes';
import { accepted } from '#test/cdk/accepted';
import { outline } from '#test/cdk/outline';
import { type Json, ofType, only, type Synthesised, synthesise } from '#test/cdk/synthesise';

const made: Record<Stage, Synthesised> = { dev: synthesise('dev'), prod: synthesise('prod') };
const { prod } = made;

describe.each(STAGES)('stage %s', (stage) => {
  const { product, edge, firewall, resources, findings } = made[stage];

  it('matches the snapshot', async () => {
    const base = stage === 'prod' ? undefined : prod.product;
    await expect(outline(product, base)).toMatchFileSnapshot(`__snapshots__/${stage}.txt`);
    for (const [part, template] of Object.entries({ edge, firewall }))
      if (template !== undefined)
        await expect(outline(template)).toMatchFileSnapshot(`__snapshots__/${stage}-${part}.txt`);
  });

  it('has an acceptance for every security finding', () => {
    expect(findings).toEqual([]);
  });

  it('accepts a finding only at the affected resource, by name and with a reason', () => {
    const { idle, wide, used } = accepted(made[stage].stage);
    expect({ idle, wide }).toEqual({ idle: [], wide: [] });
    expect(used).toBeGreaterThan(100);
    const rules = Object.values(resources).flatMap(
      ({ Metadata }) => Metadata?.cdk_nag?.rules_to_suppress ?? [],
    );
    for (const { reason } of rules) expect(reason.length).toBeGreaterThan(25);
  });

  it('contains only plain characters, because the security checks encode others', () => {
    const text = JSON.stringify([product, edge, firewall].map((template) => template?.toJSON()));
    expect(text).not.toMatch(/[^ -~]|is_reason_encoded/);
  });

  it('has a log group for every function, which expires and is deleted with the stack', () => {
    const functions = [product, edge, firewall].flatMap((template) =>
      ofType(template?.toJSON().Resources ?? {}, 'AWS::Lambda::Function'),
    );
    expect(functions.length).toBeGreaterThan(FUNCTIONS.length);
    for (const [id, { Properties }] of functions) {
      const log = resources[Properties.LoggingConfig?.LogGroup.Ref];
      expect(log, id).toMatchObject({ Type: 'AWS::Logs::LogGroup', DeletionPolicy: 'Delete' });
      expect(log?.Properties.RetentionInDays, id).toBe(config[stage].logDays);
    }
  });

  it('fits into one stack', () => {
    // CloudFormation allows 500.
    expect(Object.keys(resources).length).toBeLessThan(490);
  });

  it('has exactly the calls of the contract, each to its function, and a default route', () => {
    const got = ofType(resources, 'AWS::ApiGatewayV2::Route').flatMap(([, { Properties: route }]) => {
      expect(route.AuthorizationType).toBe('NONE');
      const [integration] = /[A-Za-z0-9]+$/.exec(route.Target['Fn::Join'][1].at(-1).Ref)!;
      const { 'Fn::GetAtt': direct, Ref: alias } = resources[integration]!.Properties.IntegrationUri;
      const fn = direct?.[0] ?? resources[alias]!.Properties.FunctionName.Ref;
      const [method, path] = route.RouteKey.split(' ');
      // All methods of the path are of one function, which refuses every other.
      const methods = method === 'ANY' ? Object.values(routes).filter((one) => one.path === path) : [];
      const keys = methods.length > 0 ? methods.map((one) => `${one.method} ${path}`) : [route.RouteKey];
      return keys.map((key) => `${key} ${resources[fn]!.Properties.FunctionName}`);
    });
    const wanted = [
      ...Object.values(routes).map(
        ({ method, path, fn }) => `${method} ${path} lead-distribution-${stage}-${fn}`,
      ),
      `$default lead-distribution-${stage}-meta`,
    ];
    expect(got.toSorted()).toEqual(wanted.toSorted());
  });

  it('is deployed with the roles of its own bootstrap', () => {
    const { artifacts } = made[stage].manifest;
    const roles = JSON.stringify(artifacts).match(/role\/cdk-[a-z0-9]+/g) ?? [];
    expect(new Set(roles)).toEqual(new Set([`role/cdk-leads${stage}`]));
  });

  it('has termination protection if it keeps data', () => {
    expect(made[stage].stage.product.terminationProtection).toBe(stage === 'prod');
  });
});

describe('the alarms of prod', () => {
  const texts = [prod.resources, prod.edge!.toJSON().Resources]
    .flatMap((of: Json) => ofType(of, 'AWS::CloudWatch::Alarm'))
    .map(([, { Properties }]) => String(Properties.AlarmDescription));

  it('describe the user impact, the meaning of no data and a runbook, and cover all runbooks', () => {
    const named = texts.map(
      (text) =>
        /^.{31,}\nNo data: .{10,}\.\nRunbook: docs\/operations\/runbooks\/([a-z0-9-]+\.md)$/.exec(
          text,
        )?.[1] ?? text,
    );
    // Only in stages with a domain and a backup.
    expect([...new Set([...named, 'site-unreachable.md', 'backup-missing.md'])].toSorted()).toEqual(
      readdirSync(join(ROOT, 'docs/operations/runbooks')).toSorted(),
    );
  });

  it('and the dashboard use every recorded metric', () => {
    const text = JSON.stringify(prod.product.toJSON());
    const unused = Object.keys(METRICS).filter((name) => !text.includes(name));
    expect(unused.toSorted()).toEqual(['DeliveriesDelivered', 'LeadsRepaired']);
  });
});

it('the public buyer routes together have less than half of the API’s rate limit', () => {
  const [, { Properties }] = only(prod.resources, 'AWS::ApiGatewayV2::Stage');
  const limits = Object.values(routes)
    .filter(({ path }) => path.startsWith('/api/leads-view/'))
    .map(({ method, path }) => Properties.RouteSettings[`${method} ${path}`].ThrottlingRateLimit);
  const together = limits.reduce((sum, limit) => sum + limit, 0);
  expect(together).toBeGreaterThan(0);
  expect(together).toBeLessThan(Properties.DefaultRouteSettings.ThrottlingRateLimit / 2);
});

it('a message is invisible for six worker timeouts, so that throttling causes no second run', () => {
  const hidden = Object.fromEntries(
    ofType(prod.resources, 'AWS::SQS::Queue').map(([, { Properties }]) => [
      String(Properties.QueueName).replace('lead-distribution-prod-', ''),
      Properties.VisibilityTimeout,
    ]),
  );
  for (const [name, { by, timeout }] of Object.entries(FUNCTION_SPECS))
    if (by === 'queue') expect(hidden[name], name).toBe(timeout * 6);
});

describe('the functions', () => {
  it('time out before the reconciliation takes over their distribution attempts', () => {
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

  it('leave redistribution time to finish its last attempt after it has stopped', () => {
    expect(REDISTRIBUTE_MAX_RUN_MS + 10_000).toBeLessThan(FUNCTION_SPECS.redistribute.timeout * 1000);
  });

  it('answer before CloudFront stops waiting', () => {
    for (const name of API_FUNCTIONS) expect(FUNCTION_SPECS[name].timeout, name).toBeLessThan(30);
  });
});
