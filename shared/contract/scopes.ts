/** What an API key may be allowed to do. `routes.ts` says which call needs which scope. */
export const SCOPES = ['read', 'leads', 'orders'] as const;
export type Scope = (typeof SCOPES)[number];

export const MAX_API_KEYS = 20;
