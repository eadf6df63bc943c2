/** Opens a buyer's links on a device on which its code was entered, until the buyer's address changes. */
import { createHash } from 'node:crypto';
import type { Buyer } from '#functions/data/buyers/buyer';
import type { LinkVisitor } from '#functions/domain/orders/link-access';
import { readSession, signSession } from '#functions/http/session-cookie';
import type { KeyLoader } from '#functions/keys/keys';

const REMEMBERED_DAYS = 180;

type Known = Pick<Buyer, 'buyer' | 'buyer_email'>;

/** A device may be used for several buyers. */
const nameOf = ({ buyer }: Known) => `link_device_${buyer}`;

const subjectOf = ({ buyer, buyer_email }: Known) =>
  `${buyer}:${createHash('sha256').update(buyer_email).digest('base64url').slice(0, 22)}`;

/** @param key used for these cookies only */
export async function linkCookie(
  key: Uint8Array,
  buyer: Known,
  { id, baseUrl, now }: { readonly id: string; readonly baseUrl: string; readonly now: Date },
): Promise<string> {
  const maxAgeSeconds = REMEMBERED_DAYS * 86_400;
  const expiresAt = new Date(now.getTime() + maxAgeSeconds * 1000);
  const token = await signSession(key, { sessionId: id, username: subjectOf(buyer), expiresAt });
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  return `${nameOf(buyer)}=${token}; Path=/api; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure}`;
}

export function linkVisitor(
  keys: KeyLoader,
  { cookies, who }: { readonly cookies: ReadonlyMap<string, string>; readonly who: string | undefined },
  now: Date,
): LinkVisitor {
  return {
    admin: who !== undefined,
    who: who ?? 'link',
    async knows(buyer) {
      const token = cookies.get(nameOf(buyer));
      if (token === undefined) return false;
      const known = await readSession((await keys()).link, token, now);
      return known?.username === subjectOf(buyer);
    },
  };
}
