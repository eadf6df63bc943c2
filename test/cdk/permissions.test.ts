/** Each function has exactly the permissions that its code uses. The role policies are in the snapshots. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Context } from 'aws-lambda';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { BUNDLE, ROOT } from '#cdk/bundling';
import { create as createAuth } from '#functions/api/auth/index';
import { create as createLeadsView } from '#functions/api/leads-view/index';
import {
  entryOf,
  FUNCTION_SPECS,
  FUNCTIONS,
  type FunctionName,
  type TableAction,
} from '#functions/platform/functions';
import { type Runtime, systemRuntime } from '#functions/platform/runtime';
import { create as createOutbox } from '#functions/workers/outbox/index';
import { type Json, ofType, type Resource, synthesise } from '#test/cdk/synthesise';
import { aLeadRequest } from '#test/factories/people';
import { apiEvent } from '#test/harness/api-event';
import { ADMIN, openOrder, startTestCloud } from '#test/harness/cloud';

const { resources } = synthesise('prod', {
  mail: { from: 'system@example.com', operator: 'ops@example.com', identity: 'address' },
});

interface Statement {
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Effect: string;
  readonly Condition?: Record<string, Record<string, unknown>>;
}

function functionNamed(functionName: string): [string, Resource] {
  return ofType(resources, 'AWS::Lambda::Function').find(
    ([, { Properties }]) => Properties.FunctionName === functionName,
  )!;
}

function roleOf(functionName: string): string {
  const [, fn] = functionNamed(functionName);
  return fn.Properties.Role['Fn::GetAtt'][0];
}

function statementsOf(role: string): Statement[] {
  expect(resources[role]!.Properties.ManagedPolicyArns ?? []).toEqual([]);
  const { Policies } = resources[role]!.Properties;
  return Policies.flatMap(
    ({ PolicyDocument }: { PolicyDocument: { Statement: Statement[] } }) => PolicyDocument.Statement,
  );
}

/** In a function's bundle but never called there, so not allowed. */
const NEVER_CALLED: Readonly<
  Partial<Record<FunctionName, { readonly actions: readonly TableAction[]; readonly why: string }>>
> = {
  insights: {
    actions: ['DeleteItem'],
    why: 'it reads, records the use of a session or key, and counts wrong keys; it changes nothing else',
  },
  'leads-view': {
    actions: ['UpdateItem', 'DeleteItem'],
    why: 'the page behind a link reads, and records views; another function files claims',
  },
  meta: {
    actions: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    why: 'open to everyone, so no session is read',
  },
  bounces: {
    actions: ['BatchGetItem', 'Query', 'DeleteItem'],
    why: 'it reads one e-mail address, one lead and its delivery, and records bounces',
  },
  outbox: {
    actions: ['BatchGetItem', 'UpdateItem', 'DeleteItem'],
    why: 'it reads subscriptions to pushes and callbacks, and stores them; others send and record them',
  },
};

/** The function of an event source, directly or through an alias. */
function startedBy(functionName: Json): string {
  const id = /"Ref":"(\w+)"/.exec(JSON.stringify(functionName))![1]!;
  const { Type, Properties } = resources[id]!;
  return Type === 'AWS::Lambda::Alias' ? Properties.FunctionName.Ref : id;
}

/** A function's queues by logical ID: event sources, and queues that it may send to. */
const queuesOf = (
  name: FunctionName,
): { readonly from: readonly string[]; readonly to: readonly string[] } => {
  const [fn] = functionNamed(`lead-distribution-prod-${name}`);
  const from = ofType(resources, 'AWS::Lambda::EventSourceMapping')
    .filter(([, { Properties }]) => startedBy(Properties.FunctionName) === fn)
    .map(([, { Properties }]) => String(Properties.EventSourceArn['Fn::GetAtt'][0]));
  const to = statementsOf(roleOf(`lead-distribution-prod-${name}`))
    .filter(({ Action }) => [Action].flat().includes('sqs:SendMessage'))
    .flatMap(({ Resource: on }) => [on].flat() as { 'Fn::GetAtt': [string, string] }[])
    .map((on) => on['Fn::GetAtt'][0]);
  return { from, to };
};
const queues = new Map(FUNCTIONS.map((name) => [name, queuesOf(name)] as const));

/** Whether a message from the function can start it again, possibly through other functions. */
function startsItself(name: FunctionName): boolean {
  const reached = new Set<FunctionName>([name]);
  // The set grows during the iteration.
  for (const sender of reached) {
    const { to } = queues.get(sender)!;
    for (const [started, { from }] of queues)
      if (from.some((queue) => to.includes(queue))) {
        if (started === name) return true;
        reached.add(started);
      }
  }
  return false;
}

it('a chain of messages is allowed only for functions that can start themselves with one', () => {
  const allowed = FUNCTIONS.filter(
    (name) => functionNamed(`lead-distribution-prod-${name}`)[1].Properties.RecursiveLoop === 'Allow',
  );
  expect(allowed).toEqual(['deliver', 'callback', 'redistribute', 'distribute']);
  expect(allowed).toEqual(FUNCTIONS.filter(startsItself));
});

/** The method of functions/data/table/table.ts, or part of a transaction, that uses an action. */
const USES: Readonly<Record<TableAction, RegExp>> = {
  GetItem: /\btable\s*\.get\(/,
  BatchGetItem: /\btable\s*\.getMany\(/,
  Query: /\btable\s*\.(query|queryAll|count)\(/,
  PutItem: /\bput: /,
  UpdateItem: /\bupdate: /,
  DeleteItem: /\bdelete: /,
};

describe('the permissions', () => {
  it('for the table cover exactly the actions in the code of each function', async () => {
    for (const name of FUNCTIONS) {
      const { metafile } = await build({
        absWorkingDir: ROOT,
        entryPoints: [entryOf(name)],
        bundle: true,
        write: false,
        metafile: true,
        platform: 'node',
        format: 'esm',
        target: BUNDLE.target,
        mainFields: [...BUNDLE.mainFields],
        packages: 'external',
        logLevel: 'silent',
      });
      const code = Object.entries(Object.values(metafile.outputs)[0]!.inputs)
        .filter(([path, { bytesInOutput }]) => bytesInOutput > 0 && path.startsWith('functions/'))
        .filter(([path]) => path !== 'functions/data/table/table.ts')
        .map(([path]) => readFileSync(join(ROOT, path), 'utf8'))
        .join('\n');
      const used = Object.entries(USES)
        .filter(([, pattern]) => pattern.test(code))
        .map(([action]) => action);
      const never: readonly string[] = NEVER_CALLED[name]?.actions ?? [];
      for (const action of never) expect(used, `${name} does not even hold ${action}`).toContain(action);
      for (const action of used.filter((one) => !never.includes(one)))
        expect(FUNCTION_SPECS[name].table, `${name} can ${action}`).toContain(action);
      for (const action of FUNCTION_SPECS[name].table)
        expect(used, `${name} never does ${action}`).toContain(action);
    }
  });

  it('for queues cover exactly those whose address the function has', () => {
    for (const name of FUNCTIONS) {
      const { Variables } = functionNamed(`lead-distribution-prod-${name}`)[1].Properties.Environment;
      const addresses = Object.keys(Variables).filter((one) => /_(?:QUEUE|DLQ)_URL$/.test(one));
      const known = addresses.map((one) => String(Variables[one].Ref));
      // Lambda sets records of the stream aside with the rights of their consumer.
      const allowed = queues.get(name)?.to.filter((queue) => !queue.startsWith('SetAside'));
      expect(allowed?.toSorted(), name).toEqual(known.toSorted());
    }
  });
});

const context = { awsRequestId: 'permissions' } as Context;

/** Whether the role allows an action of the table on a partition. */
function allows(name: FunctionName, action: string, partition: string): boolean {
  const statements = tableStatements.get(name) ?? [];
  const concerns = ({ Action, Condition }: Statement) => {
    const only = Object.values(Condition ?? {})[0]?.['dynamodb:LeadingKeys'] as string | string[] | undefined;
    return (
      [Action].flat().includes(`dynamodb:${action}`) &&
      (only === undefined || [only].flat().some((pattern) => matches(pattern, partition)))
    );
  };
  const effects = new Set(statements.filter(concerns).map(({ Effect }) => Effect));
  return effects.has('Allow') && !effects.has('Deny');
}

it('kept proofs of consent are read by two functions and written by four', () => {
  const allowedTo = (action: TableAction) =>
    FUNCTIONS.filter((name) => allows(name, action, 'CONSENTPROOF#01J'));
  for (const action of ['GetItem', 'BatchGetItem', 'Query'] as const)
    expect(allowedTo(action), action).toEqual(['people', 'reconcile']);
  for (const action of ['PutItem', 'UpdateItem', 'DeleteItem'] as const)
    expect(allowedTo(action), action).toEqual(['intake', 'people', 'pending-leads', 'reconcile']);
  const statements = FUNCTIONS.flatMap((name) => tableStatements.get(name) ?? []);
  expect(statements.filter(({ Action }) => [Action].flat().includes('dynamodb:Scan'))).toEqual([]);
});

const tableStatements = new Map(
  FUNCTIONS.map((name) => [name, statementsOf(roleOf(`lead-distribution-prod-${name}`))] as const),
);
const matches = (pattern: string, text: string) =>
  pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : text === pattern;

/** The actions of a document client command, each with its partition. */
function usesOf(command: {
  readonly constructor: { readonly name: string };
  readonly input: Json;
}): [string, string][] {
  const { input } = command;
  switch (command.constructor.name) {
    case 'GetCommand':
      return [['GetItem', input.Key.pk]];
    case 'BatchGetCommand':
      return Object.values<Json>(input.RequestItems).flatMap(({ Keys }) =>
        Keys.map(({ pk }: Json) => ['BatchGetItem', pk]),
      );
    case 'QueryCommand':
      return [['Query', input.ExpressionAttributeValues[':pk']]];
    case 'PutCommand':
      return [['PutItem', input.Item.pk]];
    case 'UpdateCommand':
      return [['UpdateItem', input.Key.pk]];
    case 'DeleteCommand':
      return [['DeleteItem', input.Key.pk]];
    default:
      throw new Error(`No rule for ${command.constructor.name}`);
  }
}

it('the partitions in the roles are sufficient for the functions', async () => {
  const cloud = await startTestCloud();
  const done = new Set<string>();
  /** The function with its role's permissions; anything else is denied, as by IAM. */
  const underItsRole = (name: FunctionName): Runtime => {
    const documents = DynamoDBDocumentClient.from(cloud.tableClient);
    const send = async (command: Json): Promise<Json> => {
      for (const [action, partition] of usesOf(command)) {
        if (!allows(name, action, partition)) throw new Error(`${name} may not ${action} ${partition}`);
        done.add(`${name} ${action} ${partition.replace(/#.*/, '#')}`);
      }
      return documents.send(command);
    };
    const queues = { send: async () => ({ Successful: [{ Id: '0' }] }) };
    const externalServices: Json = { table: { send }, queues, http: () => expect.fail() };
    return { ...systemRuntime, externalServices };
  };
  try {
    const { token } = await openOrder(cloud.admin);
    await cloud.admin.ok('createPushoverCredential', {
      body: { app_key: 'a'.repeat(30), user_key: 'u'.repeat(30), notify_lead_assignment: true },
    });
    await cloud.admin.ok('createLead', { body: aLeadRequest() });
    await cloud.settled();

    const auth = createAuth(cloud.environment, underItsRole('auth'));
    expect(await auth(apiEvent('login', { body: { ...ADMIN, password: 'wrong' } }), context)).toMatchObject({
      statusCode: 401,
    });
    const { cookies = [] } = await auth(apiEvent('login', { body: ADMIN }), context);
    const session = cookies.map((cookie) => cookie.replace(/;.*/, ''));
    expect(session.length).toBeGreaterThan(0);
    const known = await auth(apiEvent('checkAuth', { cookies: session }), context);
    expect(JSON.parse(known.body ?? '')).toMatchObject({ authenticated: true });
    expect(await auth(apiEvent('getReadiness'), context)).toMatchObject({ statusCode: 200 });
    const noTable: Json = { send: () => Promise.reject(new Error('there is no table')) };
    const unready = createAuth(cloud.environment, {
      ...underItsRole('auth'),
      log: { info: () => {}, warn: () => {}, error: () => {} },
      externalServices: { table: noTable } as Json,
    });
    expect(await unready(apiEvent('getReadiness'), context)).toMatchObject({ statusCode: 500 });
    expect(await auth(apiEvent('logout', { cookies: session }), context)).toMatchObject({
      statusCode: 200,
    });

    const view = createLeadsView(cloud.environment, underItsRole('leads-view'));
    for (const event of [
      apiEvent('viewLeads', { params: { token } }),
      apiEvent('exportLeads', { params: { token, format: 'csv' } }),
      apiEvent('viewShare', { params: { token } }),
      apiEvent('viewStatement', { params: { token } }),
    ])
      expect(await view(event, context)).toMatchObject({ statusCode: 200 });

    const lead = { pk: 'LEAD#1', sk: 'LEAD', lead_id: '1', status: 'assigned' };
    const outbox = createOutbox(cloud.environment, underItsRole('outbox'));
    const record = { dynamodb: { NewImage: marshall(lead), SequenceNumber: '1' } };
    expect(await outbox({ Records: [record] } as never)).toEqual({ batchItemFailures: [] });
  } finally {
    await cloud.stop();
  }
  expect([...done]).toEqual(
    expect.arrayContaining([
      'auth UpdateItem ADMINS',
      'leads-view PutItem LISTVIEW#',
      'outbox PutItem NOTIFICATION#',
    ]),
  );
});
