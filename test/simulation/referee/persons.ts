/** Repeated persons: leads of the same person within their source's window, and repeated requests. */
import {
  type Change,
  DAY_MS,
  hold,
  type Item,
  instant,
  MINUTE_MS,
  number,
  type Stored,
  text,
  valueOf,
} from '#test/simulation/referee/facts';

/** A lead's facts when it arrived. */
interface Came {
  readonly id: string;
  readonly source: unknown;
  readonly email: string;
  readonly phone: string;
  readonly at: number;
  /** It waited because its source had already sent the person. */
  isHeld: boolean;
  isGone: boolean;
  /** Time of its person's erasure. */
  erasedAt?: number;
}

const isPerson = (one: Came, other: Came) => one.email === other.email || one.phone === other.phone;

export type Persons = ReturnType<typeof createPersons>;

/** @param slackMs how much clocks may differ, in milliseconds */
export function createPersons(slackMs: number) {
  const came = new Map<string, Came>();
  /** When each fingerprint was last written. */
  const marked = new Map<string, number>();

  function lead(after: Item, now: number): void {
    const id = text(after, 'lead_id');
    const one = valueOf(
      came,
      id,
      (): Came => ({
        id,
        source: after.source,
        email: text(after, 'email').toLowerCase(),
        phone: text(after, 'telefon'),
        at: instant(after, 'received_at'),
        isHeld: false,
        isGone: false,
      }),
    );
    one.isHeld ||= after.reason === 'duplicate';
    if (after.erased_at !== undefined) one.erasedAt ??= now;
    one.isGone ||= after.erased_at !== undefined || after.status === 'discarded';
  }

  /** A request keeps its key for a minute; after its time it counts as new. */
  function key(pk: string, before: Item, after: Item): void {
    const [since, now] = [instant(before, 'taken_at'), instant(after, 'taken_at')];
    const isHolders = before.taken_by === after.taken_by && since === now;
    const isOver = number(before, 'expires_at') * 1000 <= now;
    hold(
      isHolders || isOver || now - since >= MINUTE_MS,
      () => `${pk} is taken over ${now - since} ms after it was taken`,
    );
  }

  return {
    all: (): readonly Came[] => [...came.values()],

    /** Whether a fingerprint was written after one of its persons was erased, by a call that had read the lead before. */
    isWrittenLater: (mark: string, { erasedAt = 0 }: Came) => (marked.get(mark) ?? 0) > erasedAt,

    follow(changes: readonly Change[], now: number): void {
      for (const { pk, sk, before, after } of changes)
        if (sk === 'LEAD' && after !== undefined) lead(after, now);
        else if (sk === 'PERSON') marked.set(pk, now);
        else if (sk === 'INTAKE' && before !== undefined && after !== undefined) key(pk, before, after);
    },

    /** Violations about leads of the same person, as sentences. */
    wrong({ leads, sources, decisions }: Stored, mayForget: boolean): string[] {
      const windowOf = ({ source }: Came) => number(sources.get(source), 'window_days') * DAY_MS;
      const isTaken = ({ id, isHeld }: Came) =>
        !isHeld && !['duplicate', 'withdrawn'].includes(text(leads.get(id), 'status'));
      const isByRule = ({ id }: Came) => decisions.get(`LEAD#${id}`)?.mode !== 'manual';
      const known = [...came.values()].filter(
        ({ id, source, isGone }) => source !== undefined && !isGone && leads.has(id),
      );
      return known.flatMap((one, at) => {
        const [lead, window, found] = [leads.get(one.id), windowOf(one), [] as string[]];
        if (lead?.status === 'duplicate' && !mayForget) {
          const earlier = came.get(text(lead, 'duplicate_of'));
          const isCause =
            earlier !== undefined &&
            (earlier.isGone ||
              (earlier !== one &&
                isPerson(one, earlier) &&
                earlier.source === one.source &&
                one.at - earlier.at <= window + slackMs));
          if (!isCause)
            found.push(`lead ${one.id} was refused, and its source had not sent the person in its window`);
        }
        for (const other of known.slice(at + 1).filter((later) => isPerson(one, later))) {
          const apart = Math.abs(one.at - other.at);
          const both = `the same person as ${one.id} and ${other.id}, ${(apart / DAY_MS).toFixed(1)} days apart`;
          if (one.source === other.source && isTaken(one) && isTaken(other) && apart < window - MINUTE_MS)
            found.push(`source ${String(one.source)} sent ${both}`);
          const shortest = Math.min(window, windowOf(other));
          const isOneBuyers = lead?.buyer !== undefined && lead.buyer === leads.get(other.id)?.buyer;
          if (isOneBuyers && isByRule(one) && isByRule(other) && apart < shortest - MINUTE_MS)
            found.push(`buyer ${text(lead, 'buyer')} has ${both}`);
        }
        return found;
      });
    },
  };
}
