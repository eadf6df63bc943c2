/** The previous release is replaced by the present one under load, and comes back under load. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { GetQueueAttributesCommand, ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { displayId } from '#functions/data/leads/lead';
import { ApiClient } from '#local/api-client';
import { ordersAddUp, readStored, settledFindings, unfinished } from '#test/attack/invariants';
import { startTestCloud } from '#test/harness/cloud';
import { startMailServer } from '#test/harness/mail-server';
import { Calls } from '#test/judges/cloud/calls';
import { copySources } from '#test/judges/cloud/deployment';
import { expect, type Findings, settled, shown } from '#test/judges/cloud/findings';
import { openPages } from '#test/judges/cloud/open-pages';
import { previousRelease } from '#test/judges/cloud/previous';
import { deployRefused } from '#test/judges/cloud/rollback';
import {
  claim,
  figuresOf,
  type Prepared,
  person,
  prepare,
  step,
  type World,
} from '#test/judges/cloud/sequence';
import { clientOf, refusedRights, type Stage, startStage, tableOf } from '#test/judges/cloud/stage';

/** Of the sequence: before the upgrade, and after it; the others while it lasts. */
const BEFORE = 30;
const AFTER = 20;
/** With the queues stopped, so that the old version's messages meet the new one. */
const QUEUED = 10;
const LOOK_EVERY_MS = 200;
/** Between two calls of a client of the crowd. */
const THOUGHT_MS = 600;
const FILE_EVERY_MS = 6_000;
const PATIENCE_MS = 120_000;
/** In which a second e-mail would arrive. */
const SECOND_COPY_MS = 3_000;

/**
 * @param present sources, synthesized or not
 * @param commit of the previous release; by default found in the history
 * @param leads of the sequence
 */
export async function judgeUpgrade(
  present: string,
  findings: Findings,
  commit: string | undefined,
  leads: number,
): Promise<void> {
  const found = commit === undefined ? previousRelease() : { commit, what: commit };
  if ('missing' in found) {
    console.log(`- upgrade: left out, because ${found.missing}`);
    return;
  }
  const previous = copySources('previous', found.commit);
  const stage = await startStage(previous);
  const table = tableOf(stage);
  const { admin, edge, mails } = stage;
  const world = { admin, visitor: new ApiClient(edge.url), table, mails, calls: new Calls() };
  const run = new Run(stage, world, await prepare(world));
  try {
    await findings.see(`upgrade from ${found.what}`, 'no client notices it; all figures as without it', () =>
      run.upgrade(present, leads),
    );
    await findings.see(
      'way back, after a rollback',
      'no client notices them; every lead of a crowd once',
      () => run.wayBack(previous),
    );
  } finally {
    await stage.stop();
  }
}

class Run {
  readonly #stage: Stage;
  readonly #world: World;
  readonly #prepared: Prepared;
  readonly #sqs: SQSClient;

  constructor(stage: Stage, world: World, prepared: Prepared) {
    this.#stage = stage;
    this.#world = world;
    this.#prepared = prepared;
    this.#sqs = new SQSClient(clientOf(stage));
  }

  async upgrade(present: string, leads: number): Promise<string> {
    const { calls } = this.#world;
    const synthesized = this.#synthesize(present);
    const wanted = figuresWithoutUpgrade(leads);
    let at = 0;
    const steps = async (until: number) => {
      for (; at < until; at += 1) await step(this.#world, this.#prepared, at);
    };
    await steps(BEFORE - QUEUED);
    const pages = await openPages(this.#stage, this.#link);
    try {
      const held = await this.#hold(() => true);
      await steps(BEFORE);
      await synthesized;
      const seconds = await this.#whileLoaded(
        () => this.#deploy(present),
        async (goesOn) => {
          while (goesOn())
            if (at < leads - AFTER) await steps(at + 1);
            else await this.#look();
        },
      );
      const during = at - BEFORE;
      await pages.goOn();
      await steps(leads);
      await this.#release(held);
      await this.#agrees(await wanted);
      await this.#nothingRefused();
      return `${leads} leads, ${during} of them during ${seconds} s, ${calls.made} calls, ${calls.repeated} repeated; figures agree; open pages go on`;
    } finally {
      await pages.close();
    }
  }

  /** At first it fails: CloudFormation meets a refused resource, and returns to the present release. */
  async wayBack(previous: string): Promise<string> {
    const world = { ...this.#world, calls: new Calls() };
    const pages = await openPages(this.#stage, this.#link);
    try {
      const held = await this.#hold((queue) => /-(deliver|notify)$/.test(queue));
      const crowd = new Crowd(world, this.#prepared);
      const seconds = await this.#whileLoaded(
        async () => {
          await deployRefused(this.#stage, previous);
          await this.#deploy(previous);
        },
        (goesOn) => crowd.act(goesOn),
      );
      await pages.goOn();
      await this.#release(held);
      expect(crowd.broken.length === 0, shown(crowd.broken));
      await this.#everyLeadOnce(crowd.emails);
      await this.#nothingRefused();
      return `${crowd.emails.length} leads during ${seconds} s, ${world.calls.made} calls, ${world.calls.repeated} repeated; each stored and sent once; open pages go on`;
    } finally {
      await pages.close();
    }
  }

  get #link(): string {
    const [[, token = ''] = []] = this.#prepared.links;
    return `/leads/${token}`;
  }

  async #synthesize(folder: string): Promise<void> {
    if (existsSync(join(folder, 'cdk.out'))) return;
    const { ok, output } = await this.#stage.account.synthesize(folder);
    expect(ok, output);
  }

  async #deploy(folder: string): Promise<void> {
    const { ok, output } = await this.#stage.account.deploy(folder);
    expect(ok, output);
  }

  /** @returns seconds */
  async #whileLoaded(
    deploy: () => Promise<void>,
    load: (goesOn: () => boolean) => Promise<void>,
  ): Promise<number> {
    const began = performance.now();
    let goesOn = true;
    await Promise.all([
      deploy().finally(() => {
        goesOn = false;
      }),
      load(() => goesOn),
    ]);
    return Math.round((performance.now() - began) / 1000);
  }

  async #look(): Promise<void> {
    const { admin, calls } = this.#world;
    await calls.make('dashboard', true, () => admin.ok('getDashboardInitialData'));
    await wait(LOOK_EVERY_MS);
  }

  /** Stops the workers of some queues. @returns their mappings */
  async #hold(which: (queue: string) => boolean): Promise<readonly string[]> {
    const mappings = (await this.#stage.account.ask(
      'lambda',
      'list-event-source-mappings',
      'EventSourceMappings[].[UUID, EventSourceArn]',
    )) as (readonly [uuid: string, source: string])[];
    const held = mappings
      .filter(([, source]) => source.includes(':sqs:') && which(source))
      .map(([uuid]) => uuid);
    expect(held.length > 0, 'There is no queue to stop');
    await this.#set(held, '--no-enabled');
    return held;
  }

  #release(held: readonly string[]): Promise<void> {
    return this.#set(held, '--enabled');
  }

  async #set(mappings: readonly string[], option: string): Promise<void> {
    await Promise.all(
      mappings.map((uuid) =>
        this.#stage.account.ask('lambda', 'update-event-source-mapping', 'State', '--uuid', uuid, option),
      ),
    );
  }

  /** E-mails and statistics follow the leads. */
  async #agrees(wanted: ReadonlyMap<string, string>): Promise<void> {
    await settled(async () => {
      const seen = await figuresOf(this.#world);
      return [...new Set([...wanted.keys(), ...seen.keys()])].flatMap((name) =>
        wanted.get(name) === seen.get(name)
          ? []
          : [
              `${name} is ${seen.get(name) ?? 'missing'}, without an upgrade ${wanted.get(name) ?? 'missing'}`,
            ],
      );
    }, PATIENCE_MS);
  }

  async #everyLeadOnce(emails: readonly string[]): Promise<void> {
    const { table, mails } = this.#world;
    const problems = async () => {
      const stored = await readStored(table);
      const letters = new Map<string, number>();
      for (const { mail } of mails.mails) {
        const { subject = '' } = await mail();
        letters.set(subject, (letters.get(subject) ?? 0) + 1);
      }
      const times = (email: string) => stored.leads.filter((lead) => lead.email === email).length;
      return [
        ...emails.flatMap((email) =>
          times(email) === 1 ? [] : [`${email} is stored ${times(email)} times`],
        ),
        ...stored.leads.flatMap(({ status, lead_type, order_id = 0, sequence = 0 }) => {
          if (status !== 'assigned') return [];
          const subject = `${lead_type === 'original' ? 'Original' : 'Ersatz'} ${displayId({ order_id, sequence })}`;
          return letters.get(subject) === 1
            ? []
            : [`"${subject}" arrived ${letters.get(subject) ?? 0} times`];
        }),
        ...unfinished(stored),
        ...ordersAddUp(stored),
      ];
    };
    await settled(problems, PATIENCE_MS);
    await wait(SECOND_COPY_MS);
    const found = [...(await problems()), ...(await settledFindings(table))];
    expect(found.length === 0, shown(found));
  }

  async #nothingRefused(): Promise<void> {
    refusedRights(this.#stage);
    const { QueueUrls = [] } = await this.#sqs.send(new ListQueuesCommand({}));
    const given = await Promise.all(
      QueueUrls.filter((url) => /-(dead|set-aside)$/.test(url)).map(async (url) => {
        const { Attributes = {} } = await this.#sqs.send(
          new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['ApproximateNumberOfMessages'] }),
        );
        return Attributes.ApproximateNumberOfMessages === '0' ? [] : [`A message was given up: ${url}`];
      }),
    );
    expect(given.flat().length === 0, shown(given.flat()));
  }
}

/** Clients at the same time, each with its own leads. */
class Crowd {
  readonly emails: string[] = [];
  readonly broken: string[] = [];
  readonly #world: World;
  readonly #prepared: Prepared;

  constructor(world: World, prepared: Prepared) {
    this.#world = world;
    this.#prepared = prepared;
  }

  async act(goesOn: () => boolean): Promise<void> {
    const { admin, calls } = this.#world;
    const until = async (act: () => Promise<unknown>, pauseMs = THOUGHT_MS) => {
      while (goesOn()) {
        await act().catch((error: Error) => this.broken.push(error.message));
        await wait(pauseMs);
      }
    };
    await Promise.all([
      until(() => this.#post()),
      until(() => this.#post()),
      until(() => this.#post()),
      until(() => this.#import(), FILE_EVERY_MS),
      until(async () => {
        const { claims } = await calls.make('claims', true, () => admin.ok('listPendingClaims'));
        for (const { claim_id } of claims)
          await calls.make('decision', false, () =>
            admin.ok(claim_id % 2 === 0 ? 'approveClaim' : 'rejectClaim', {
              params: { claimId: String(claim_id) },
              body: { admin_notes: 'geprüft' },
            }),
          );
      }),
      until(() => calls.make('orders', true, () => admin.ok('listOrders'))),
    ]);
  }

  #person() {
    const one = person(this.emails.length, 8);
    this.emails.push(one.email);
    return one;
  }

  async #post(): Promise<void> {
    const { admin, calls } = this.#world;
    const body = this.#person();
    const { buyer, lead_id } = await calls.make('lead', true, () =>
      admin.ok('createLead', { body }, { 'idempotency-key': body.email }),
    );
    const token = this.#prepared.links.get(buyer ?? '');
    if (token !== undefined && this.emails.length % 8 === 0) await claim(this.#world, token, lead_id);
  }

  /** `external_id` makes it repeatable. */
  async #import(): Promise<void> {
    const { admin, calls } = this.#world;
    const leads = Array.from({ length: 10 }, () => {
      const one = this.#person();
      return { ...one, src: undefined, external_id: one.email };
    });
    const { results } = await calls.make('file', true, () =>
      admin.ok('importLeads', { params: { sourceId: this.#prepared.source }, body: { leads } }),
    );
    for (const { status } of results) expect(status === 'accepted', `a lead of a file was ${status}`);
  }
}

/** By the product in this process. */
async function figuresWithoutUpgrade(leads: number): Promise<ReadonlyMap<string, string>> {
  const [cloud, mails] = await Promise.all([startTestCloud({}, { inMemory: true }), startMailServer()]);
  try {
    const world = { ...cloud, mails, calls: new Calls() };
    const prepared = await prepare(world);
    for (let at = 0; at < leads; at += 1) await step(world, prepared, at);
    await settled(async () => unfinished(await readStored(cloud.table)), PATIENCE_MS);
    await settled(() => settledFindings(cloud.table), PATIENCE_MS);
    return await figuresOf(world);
  } finally {
    await Promise.all([cloud.stop(), mails.stop()]);
  }
}
