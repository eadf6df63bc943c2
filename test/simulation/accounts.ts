import type { SessionName } from '#functions/data/administration/session-store';
import type { LoggedIn } from '#functions/domain/administration/admins';

/** The shared knowledge of a world's admins: sessions, links, codes, and which of them must no longer work. */
export class Accounts {
  readonly sessions: SessionName[] = [];
  readonly ended = new Set<string>();
  readonly links: string[] = [];
  readonly codes: { readonly username: string; readonly code: string }[] = [];
  readonly #used = new Set<string>();
  passkeys = 0;

  opened({ sessionId, username }: LoggedIn): void {
    this.sessions.push({ id: sessionId, username });
  }

  /** @returns a function that ends the sessions of an admin that are open now */
  ending(username: string, but?: string): () => void {
    const open = this.sessions.filter((one) => one.username === username && one.id !== but);
    return () => {
      for (const { id } of open) this.ended.add(id);
    };
  }

  /**
   * Records that a single-use secret has worked.
   * @returns false if it had worked before
   */
  once(kind: string, secret: string): boolean {
    const name = `${kind} ${secret}`;
    const isFirst = !this.#used.has(name);
    this.#used.add(name);
    return isFirst;
  }
}
