/** The texts of claims, apart from the others, which every page loads. */

export const CLAIMS_FAILED = {
  fetch: 'Failed to fetch claims',
  fetchPending: 'Failed to fetch pending claims',
  approve: 'Failed to approve claim',
  reject: 'Failed to reject claim',
  evidence: 'Failed to load what is known of the claim',
  reverse: 'Failed to reverse the decision',
} as const;

export const CLAIM_DONE = {
  approved: (id: number | string) => `Claim #${id} approved`,
  rejected: (id: number | string) => `Claim #${id} rejected`,
  reversed: (id: number | string, status: string) => `Decision reversed: claim #${id} ${status}`,
};
