/** Follows lists of known people: no buyer gets a person that it has known since before the lead came. */
import type { Item } from '#functions/data/table/table';
import { Violation } from '#test/simulation/kernel';
import { instant, number, text, valueOf } from '#test/simulation/referee/facts';
import { hashesOf } from '#test/simulation/referee/hashes';
import type { Change } from '#test/simulation/table-model';

/** Clocks are wrong by seconds, and jump. A lead received later than this is compared with the mark. */
const SLACK_MS = 60_000;
const MARK = 'DONOTCONTACT#';

interface Watched {
  readonly scheduler: { readonly now: number };
  readonly personKey: Uint8Array;
}

export class KnownWatch {
  readonly #world: Watched;
  /** Lists that are there before any lead. */
  readonly #first = new Set<string>();
  /** By hash, since when each list has it. */
  readonly #marks = new Map<string, Map<string, number>>();
  /** All buyers that have ever known a hash. */
  readonly #ever = new Map<string, Set<number>>();

  constructor(world: Watched) {
    this.#world = world;
  }

  follow(changes: readonly Change[]): void {
    for (const { pk, sk, before, after } of changes) {
      if (pk === 'KNOWN' && after?.created_by === 'setup') this.#first.add(sk);
      else if (pk.startsWith(MARK)) this.#marked(pk.slice(MARK.length), after);
      else if (sk === 'LEAD' && after !== undefined) {
        this.#noted(after);
        if (after.status === 'assigned' && before?.status !== 'assigned') this.#assigned(after);
      }
    }
  }

  #marked(hash: string, mark: Item | undefined): void {
    const known = (mark?.known ?? new Set()) as ReadonlySet<string>;
    const marks = valueOf(this.#marks, hash, () => new Map<string, number>());
    for (const by of marks.keys()) if (!known.has(by)) marks.delete(by);
    for (const by of known) {
      const [buyer = '', list = ''] = by.split('#');
      const since = this.#first.has(list) ? -Infinity : this.#world.scheduler.now;
      valueOf(marks, by, () => since);
      valueOf(this.#ever, hash, () => new Set<number>()).add(Number(buyer));
    }
  }

  #noted(lead: Item): void {
    const noted = (lead.known_to ?? []) as readonly number[];
    // The person of a refused or erased lead is blank.
    if (noted.length === 0 || text(lead, 'email') === '') return;
    const hashes = hashesOf(lead, this.#world.personKey);
    const ever = new Set(hashes.flatMap((hash) => [...(this.#ever.get(hash) ?? [])]));
    const wrong = noted.find((buyer) => !ever.has(buyer));
    if (wrong !== undefined)
      throw new Violation(`lead ${text(lead, 'lead_id')} is kept from buyer ${wrong}, which never knew it`);
  }

  #assigned(lead: Item): void {
    for (const hash of hashesOf(lead, this.#world.personKey))
      for (const [by, since] of this.#marks.get(hash) ?? []) {
        const buyer = Number(by.split('#')[0]);
        if (buyer !== 0 && buyer !== number(lead, 'buyer')) continue;
        if (instant(lead, 'received_at') > since + SLACK_MS)
          throw new Violation(
            `lead ${text(lead, 'lead_id')} is assigned, and is known to ${buyer || 'nobody'}`,
          );
      }
  }
}
