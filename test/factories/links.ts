import type { LinkVisitor } from '#functions/domain/orders/link-access';

/** Somebody with a link, on a device on which no code was entered, or an admin. */
export const aVisitor = (changes: Partial<LinkVisitor> = {}): LinkVisitor => ({
  admin: false,
  knows: async () => false,
  ...changes,
});
