/** Groups take turns, each in order, as in SQS's fair queues. */
export class RoundRobin<T> {
  /** The next group comes first; none is empty. */
  readonly #groups = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(group: string, item: T): void {
    const items = this.#groups.get(group);
    if (items === undefined) this.#groups.set(group, [item]);
    else items.push(item);
    this.#size += 1;
  }

  take(): T | undefined {
    const [first] = this.#groups;
    if (first === undefined) return undefined;
    const [group, items] = first;
    const item = items.shift();
    this.#groups.delete(group);
    if (items.length > 0) this.#groups.set(group, items);
    this.#size -= 1;
    return item;
  }
}
