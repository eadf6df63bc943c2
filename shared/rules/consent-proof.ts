/** The proof of a consent, a file that anyone can check without the product. */

/** A step from a leaf towards the root of its Merkle tree: the hash of the other node. */
export type PathStep = { readonly left: string } | { readonly right: string };

/**
 * A link of the audit chain names the one before it and this older one, 0 for none. So the way from a link to any older one takes
 * a number of links that grows only with the square of the logarithm.
 */
export const skippedTo = (link: number): number => link - (link & -link);
