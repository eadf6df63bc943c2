/** The consent that a person gave to be contacted: what may be said of it, and how it is named. */

/** How it was given. */
export const CONSENT_METHODS = ['form', 'double_opt_in', 'phone_recording', 'written', 'other'] as const;

/** By which the person may be contacted. */
export const CONSENT_CHANNELS = ['phone', 'email', 'messaging'] as const;

/**
 * For a source's leads without consent to be called: `hold` makes them pending, `require` refuses them. Sources older
 * than the setting ignore it.
 */
export const CONSENT_POLICIES = ['ignore', 'hold', 'require'] as const;

/** Characters. */
export const CONSENT_LIMITS = { text: 4000, address: 1000, ip: 45, user_agent: 500 } as const;
