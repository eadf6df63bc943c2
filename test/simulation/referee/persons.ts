/** Who comes again: leads of the same person within the window of their source, and requests that are repeated. */
import { type Change, hold, type Item, instant, number, text } from '#test/simulation/referee/facts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** What was known of a lead when it came. */
export interface Came {
  readonly id: string;
  readonly source: number | undefined;
  readonly email: string;
  readonly phone: string;
  readonly at: number;
  /** It waited because its source had sent the person before. */
  isHeld: boolean;
  isErased: boolean;
  /** When its person was erased. */
  erasedAt?: number;
}

export class Persons {
  readonly #came = new Map<string, Came>();
  /** When each mark was written last. */
  readonly #marked = new Map<string, number>();
  /** By how many milliseconds clocks may differ. */
  readonly #slack: number;

  constructor(slack: number) {
    this.#slack = slack;
  }

  /** Whether a mark was written after somebody in it was erased: by a call that had found the lead before. */
  isWrittenLater(mark: string, { erasedAt = 0 }: Came): boolean {
    return (this.#marked.get(mark) ?? 0) > erasedAt;
  }

  all(): readonly Came[] {
    return [...this.#came.values()];
  }

  follow(changes: readonly Change[], now: number): void {
    for (const { pk, sk, before, after } of changes)
      if (sk === 'LEAD' && after !== undefined) this.#lead(after, now);
      else if (sk === 'PERSON') this.#marked.set(pk, now);
      else if (sk === 'INTAKE' && before !== undefined && after !== undefined) this.#key(pk, before, after);
  }

  #lead(lead: Item, now: number): void {
    const id = text(lead, 'lead_id');
    const came = this.#came.get(id) ?? {
      id,
      source: lead.source as number | undefined,
      email: text(lead, 'email').toLowerCase(),
      phone: text(lead, 'telefon'),
      at: instant(lead, 'received_at'),
      isHeld: false,
      isErased: false,
    };
    this.#came.set(id, came);
    came.isHeld ||= lead.reason === 'duplicate';
    if (lead.erased_at !== undefined) came.erasedAt ??= now;
    came.isErased ||= lead.erased_at !== undefined || lead.status === 'discarded';
  }

  /** Whoever has a key keeps it for a minute; one whose time is over is as good as new. */
  #key(pk: string, before: Item, after: Item): void {
    const [since, now] = [instant(before, 'taken_at'), instant(after, 'taken_at')];
    const isHolder = before.taken_by === after.taken_by;
    const isNew = number(before, 'expires_at') * 1000 <= now;
    hold(
      (isHolder && since === now) || isNew || now - since >= MINUTE_MS,
      () => `${pk} is taken over ${now - since} ms after it was taken`,
    );
  }

  /** What is wrong with leads of the same person, as sentences. */
  wrong(items: readonly Item[], mayForget: boolean): string[] {
    const leads = new Map(
      items.flatMap((item) => (item.sk === 'LEAD' ? [[text(item, 'lead_id'), item] as const] : [])),
    );
    const windows = new Map(
      items.flatMap((item) =>
        item.sk === 'SOURCE' && text(item, 'pk').startsWith('SOURCE#')
          ? [[number(item, 'source'), number(item, 'window_days') * DAY_MS] as const]
          : [],
      ),
    );
    const byHand = new Set(
      items.flatMap(({ pk, sk, mode }) => (sk === 'DECISION' && mode === 'manual' ? [pk] : [])),
    );
    const known = this.all().filter(
      ({ id, source, isErased }) => source !== undefined && !isErased && leads.has(id),
    );
    return known.flatMap((one, at) => {
      const lead = leads.get(one.id);
      const window = windows.get(one.source ?? 0) ?? 0;
      const same = known.filter((other) => other !== one && isPerson(one, other));
      const found: string[] = [];
      if (lead?.status === 'duplicate' && !mayForget) {
        const cause = same.find(({ id }) => id === lead.duplicate_of);
        const isThere =
          this.#came.get(text(lead, 'duplicate_of'))?.isErased === true || cause?.source === one.source;
        if (!isThere || (cause !== undefined && one.at - cause.at > window + this.#slack))
          found.push(
            `lead ${one.id} was refused, and its source had not sent the person within ${window / DAY_MS} days`,
          );
      }
      for (const other of same.filter((candidate) => known.indexOf(candidate) > at)) {
        const apart = Math.abs(one.at - other.at);
        const accepted = [one, other].every(
          ({ id, isHeld }) => !isHeld && leads.get(id)?.status !== 'duplicate',
        );
        if (one.source === other.source && accepted && apart < window - MINUTE_MS)
          found.push(
            `source ${one.source} sent the same person as ${one.id} and ${other.id}, ${(apart / DAY_MS).toFixed(1)} days apart`,
          );
        const buyers = [one, other].map(({ id }) => leads.get(id)?.buyer);
        const both = Math.min(window, windows.get(other.source ?? 0) ?? 0);
        const isByRule = !byHand.has(`LEAD#${one.id}`) && !byHand.has(`LEAD#${other.id}`);
        if (isByRule && buyers[0] !== undefined && buyers[0] === buyers[1] && apart < both - MINUTE_MS)
          found.push(`buyer ${text(lead, 'buyer')} has the same person as ${one.id} and ${other.id}`);
      }
      return found;
    });
  }
}

const isPerson = (one: Came, other: Came) => one.email === other.email || one.phone === other.phone;
