export interface Outgoing<Message> {
  readonly message: Message;
  /** Seconds, at most `MAX_DELAY_SECONDS`. */
  readonly delay?: number;
}

export interface Queue<Message> {
  /** The queue may accept a part. @returns for each message, in order, whether it was accepted */
  send(messages: readonly Outgoing<Message>[]): Promise<boolean[]>;
}

/** SQS's limit. */
export const MAX_DELAY_SECONDS = 900;

/** @throws Error if the queue did not accept every message */
export async function sendAll<Message>(
  queue: Queue<Message>,
  messages: readonly Outgoing<Message>[],
): Promise<void> {
  const taken = await queue.send(messages);
  const refused = taken.filter((ok) => !ok).length;
  if (refused > 0) throw new Error(`The queue did not accept ${refused} of ${messages.length} messages`);
}
