import type { Content, Receiver } from '#functions/channels/callback';

/** Where a callback goes, and how it is named to the operator. */
export interface Target extends Receiver {
  readonly content: () => Promise<Content>;
  /** @returns false if an admin changed the receiver since it was read */
  readonly switchOff: (now: Date) => Promise<boolean>;
  readonly name: string;
  /** The sentence about a callback that failed. */
  readonly failed: string;
  readonly place: string;
  /** Of the failures reported within the hour. */
  readonly marker: string;
}
