/** The `styles` of a field that holds code. */
export const MONOSPACE = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } } as const;
