/** The sending side of a queue. */

export interface Outgoing<Message> {
  readonly message: Message;
  /** Seconds before it can be received, at most `MAX_DELAY_SECONDS`. */
  readonly delay?: number;
}

export interface Queue<Message> {
  /**
   * Sends messages in batches, of which the queue may accept a part.
   * @returns for each message, in order, whether the queue accepted it
   */
  send(messages: readonly Outgoing<Message>[]): Promise<boolean[]>;
}

/** SQS's limit. */
export const MAX_DELAY_SECONDS = 900;

/** Sends all messages. @throws Error when the queue did not accept every message */
export async function sendAll<Message>(
  queue: Queue<Message>,
  messages: readonly Outgoing<Message>[],
): Promise<void> {
  const taken = await queue.send(messages);
  const refused = taken.filter((ok) => !ok).length;
  if (refused > 0) throw new Error(`The queue did not take ${refused} of ${messages.length} messages`);
}
