const USE_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const;

/** Loads what a click or key press may need at the first sign of one. Viewing alone does not need it. */
export function whenUsed(task: () => void): () => void {
  const used = new AbortController();
  const once = () => {
    used.abort();
    task();
  };
  for (const event of USE_EVENTS) addEventListener(event, once, { signal: used.signal });
  return () => used.abort();
}
