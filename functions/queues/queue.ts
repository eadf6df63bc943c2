/** A queue to put messages on. */

export interface Outgoing<Message> {
  readonly message: Message;
  /** Seconds until it can be received, at most `MAX_DELAY_SECONDS`. */
  readonly delay?: number;
}

export interface Queue<Message> {
  /**
   * Sends in batches. The answer says for each message, in order, whether the queue took it: a batch may be taken in
   * part, and a message that was not taken is not an error of the others.
   */
  send(messages: readonly Outgoing<Message>[]): Promise<boolean[]>;
}

/** The longest delay that the service knows for one message. */
export const MAX_DELAY_SECONDS = 900;
/** @throws Error when the queue did not take every message */
export async function sendAll<Message>(
  queue: Queue<Message>,
  messages: readonly Outgoing<Message>[],
): Promise<void> {
  const taken = await queue.send(messages);
  const refused = taken.filter((ok) => !ok).length;
  if (refused > 0) throw new Error(`The queue did not take ${refused} of ${messages.length} messages`);
}
