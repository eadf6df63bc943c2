import type { LinkVisitor } from '#functions/domain/orders/link-access';

/** The caller of a link: on a device without a code, or an admin. */
export const aVisitor = (changes: Partial<LinkVisitor> = {}): LinkVisitor => ({
  admin: false,
  who: 'link',
  knows: async () => false,
  ...changes,
});
