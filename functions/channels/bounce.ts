/** What a mail server's answer says about the address of the recipient. Codes: RFC 5321, 4.2.3, and RFC 3463. */
import type { Bounce } from '#functions/channels/channel';

/** Of the answers to a recipient those that are about the mailbox, where there is no enhanced status: hard or not. */
const BASIC: Readonly<Record<number, boolean>> = { 550: true, 551: true, 552: false, 553: true };
const ENHANCED = /\b5\.(\d{1,3})\.(\d{1,3})\b/;
/** About the sender's address, or the message, though they stand among those about addresses and mailboxes. */
const ABOUT_OTHERS: ReadonlySet<string> = new Set(['5.1.7', '5.1.8', '5.2.3', '5.2.4']);
/** Full, or closed for now. */
const FOR_NOW: ReadonlySet<string> = new Set(['5.2.0', '5.2.2']);

/**
 * @param refused which command was refused: `RCPT TO`, `DATA` or another one @param response the whole answer
 * @returns undefined where the answer is temporary, or about something else, such as a policy of the server
 */
export function bounceOf(refused: string, status: number | null, response: string): Bounce | undefined {
  if (status === null || status < 500 || status > 599) return undefined;
  if (refused !== 'RCPT TO' && refused !== 'DATA') return undefined;
  const [code, subject] = ENHANCED.exec(response) ?? [];
  if (code === undefined || subject === '0') {
    const hard = refused === 'RCPT TO' ? BASIC[status] : undefined;
    return hard === undefined ? undefined : { hard, code: code ?? String(status) };
  }
  if ((subject !== '1' && subject !== '2') || ABOUT_OTHERS.has(code)) return undefined;
  return { hard: !FOR_NOW.has(code), code };
}

/** The id that SES gives a message that it takes over SMTP; its later events name it. Null for other servers. */
export function sesMessageId(response: string): string | null {
  return /\b[0-9a-f]{16}-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-\d{6}\b/.exec(response)?.[0] ?? null;
}
