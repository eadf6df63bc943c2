import { RemovalPolicy } from 'aws-cdk-lib';
import { AccessLogField, AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  CfnStage,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { acknowledge } from '#cdk/constructs/acknowledge';
import { API_FUNCTIONS } from '#functions/platform/functions';
import {
  type ApiFunction,
  type Method,
  type Route,
  routes,
  UNROUTED_FUNCTION,
} from '#shared/contract/routes';

const METHODS = {
  GET: HttpMethod.GET,
  POST: HttpMethod.POST,
  PUT: HttpMethod.PUT,
  DELETE: HttpMethod.DELETE,
  OPTIONS: HttpMethod.OPTIONS,
} as const satisfies Record<Method, HttpMethod>;

export interface ContractApiProps {
  readonly name: string;
  readonly throttle: { readonly rate: number; readonly burst: number };
  readonly logDays: RetentionDays;
}

const BUYERS_PATH = '/api/leads-view/';
/** Part of the stage's requests per second for each public route of buyers. */
const BUYERS_PART = 0.15;
/** For what a buyer requests by a tap. */
const BY_TAP_PART = 0.022;
const BY_TAP: ReadonlySet<Route> = new Set<Route>([
  routes.viewLeadConsent,
  routes.exportConsentProof,
  routes.exportConsentProofs,
  routes.exportLeads,
  routes.exportLeadsPart,
  routes.viewShare,
  routes.viewStatement,
  routes.exportStatement,
  routes.viewFeedback,
  routes.saveFeedback,
  routes.takeBackFeedback,
  routes.requestReorder,
]);
const SPECIFICATION_PATH = '/api/specifications/';
/** For what few people open. */
const SPECIFICATION_PART = 0.02;
const SELDOM: ReadonlySet<Route> = new Set<Route>([
  routes.getStatus,
  routes.listConsentCheckpoints,
  routes.sendLinkCode,
  routes.confirmLinkCode,
  routes.requestNewLink,
  routes.viewNotificationPreferences,
  routes.changeNotificationPreferences,
  routes.openUnsubscription,
  routes.unsubscribe,
  routes.viewSubscription,
  routes.subscribeAgain,
]);

/** The calls of the contract. One function answers all others with 405 or 404. */
export class ContractApi extends Construct {
  readonly api: HttpApi;
  readonly stage: HttpStage;
  readonly accessLog: LogGroup;

  /** As CloudFormation names the settings; the CDK passes this object on. */
  readonly #throttled: Record<
    string,
    { readonly ThrottlingRateLimit: number; readonly ThrottlingBurstLimit: number }
  > = {};

  constructor(
    scope: Construct,
    id: string,
    private readonly props: ContractApiProps,
  ) {
    super(scope, id);
    this.api = new HttpApi(this, 'Api', { apiName: props.name, createDefaultStage: false });
    this.accessLog = new LogGroup(this, 'AccessLog', {
      logGroupName: `/aws/apigateway/${props.name}`,
      retention: props.logDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: props.throttle.rate, burstLimit: props.throttle.burst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(this.accessLog),
        // The route instead of the path, which may contain a buyer's token.
        format: AccessLogFormat.custom(
          JSON.stringify({
            time: AccessLogField.contextRequestTime(),
            requestId: AccessLogField.contextRequestId(),
            method: AccessLogField.contextHttpMethod(),
            route: '$context.routeKey',
            status: AccessLogField.contextStatus(),
            milliseconds: '$context.responseLatency',
            bytes: AccessLogField.contextResponseLength(),
            error: '$context.integrationErrorMessage',
          }),
        ),
      },
    });
  }

  connect(functions: Readonly<Record<ApiFunction, IFunction>>): void {
    for (const name of API_FUNCTIONS) {
      // A function's policy has at most 20 KB, too little for a permission per route.
      const integration = new HttpLambdaIntegration(name, functions[name], { scopePermissionToRoute: false });
      for (const route of Object.values(routes)) {
        if (route.fn !== name || (isJoint(route) && !isFirst(route))) continue;
        const method = isJoint(route) ? HttpMethod.ANY : METHODS[route.method];
        const made = this.api.addRoutes({ path: route.path, methods: [method], integration });
        const part = partOf(route);
        if (part !== undefined) this.#throttle(made, `${route.method} ${route.path}`, part);
        for (const one of made) acceptWithoutAuthorizer(one);
      }
      if (name === UNROUTED_FUNCTION)
        acceptWithoutAuthorizer(
          new HttpRoute(this, 'Unrouted', { httpApi: this.api, routeKey: HttpRouteKey.DEFAULT, integration }),
        );
    }
    const stage = this.stage.node.defaultChild;
    if (stage instanceof CfnStage) stage.routeSettings = this.#throttled;
  }

  #throttle(made: readonly HttpRoute[], key: string, part: number): void {
    const { rate, burst } = this.props.throttle;
    this.#throttled[key] = {
      ThrottlingRateLimit: Math.ceil(rate * part),
      ThrottlingBurstLimit: Math.ceil(burst * part),
    };
    // The stage refuses settings of a missing route.
    this.stage.node.addDependency(...made);
  }
}

const samePath = ({ path }: Route): Route[] =>
  Object.values<Route>(routes).filter((other) => other.path === path);

/** CloudFormation allows 500 resources, so a path with several methods of one function is one route; its router tells them apart. */
function isJoint(route: Route): boolean {
  const all = samePath(route);
  return all.length > 1 && all.every((one) => one.fn === route.fn && partOf(one) === undefined);
}

const isFirst = (route: Route) => samePath(route)[0] === route;

function acceptWithoutAuthorizer(route: HttpRoute): void {
  acknowledge(
    route,
    'AwsSolutions-APIG4',
    'The function checks sessions and links before it parses a request. The contract declares the access of each route, and a test calls every route without a session.',
  );
}

/** Public calls get less and intake as much as the whole API, so neither can starve it. */
function partOf(route: Route): number | undefined {
  if (route === routes.createLead || route === routes.postIntake) return 1;
  if (route.path.startsWith(SPECIFICATION_PATH) || SELDOM.has(route)) return SPECIFICATION_PART;
  if (BY_TAP.has(route)) return BY_TAP_PART;
  return route.path.startsWith(BUYERS_PATH) ? BUYERS_PART : undefined;
}
