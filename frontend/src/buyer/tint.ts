/** The colours of page.module.css that have a background. */
export type Tone = 'accent' | 'wait' | 'ok' | 'no';

export const tint = (tone: Tone) => ({ background: `var(--${tone}-bg)`, color: `var(--${tone})` });
