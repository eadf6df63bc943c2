/** What a mail server's answer says about the recipient's address. Codes: RFC 5321, 4.2.3, and RFC 3463. */
import type { Bounce } from '#functions/channels/channel';

/** Hard or not, for answers without an enhanced status. */
const BASIC: Readonly<Record<number, boolean>> = { 550: true, 551: true, 552: false, 553: true };
const ENHANCED = /\b5\.(\d{1,3})\.(\d{1,3})\b/;
/** These are about the sender or the message. */
const ABOUT_OTHERS: ReadonlySet<string> = new Set(['5.1.7', '5.1.8', '5.2.3', '5.2.4']);
const FOR_NOW: ReadonlySet<string> = new Set(['5.2.0', '5.2.2']);

/**
 * @param refused the refused command: `RCPT TO`, `DATA` or another one @param response the whole answer @returns
 * undefined if the answer is temporary, or not about the address
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

/** SES's ID of a message accepted over SMTP; later events name it. Null for other servers. */
export function sesMessageId(response: string): string | null {
  return /\b[0-9a-f]{16}-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-\d{6}\b/.exec(response)?.[0] ?? null;
}
