import { type CSSVariablesResolver, createTheme } from '@mantine/core';

/**
 * The default colours of the component library miss WCAG AA; with `autoContrast` and shade 8 in both schemes every
 * screen passes. Badges use `teal.9`, `yellow.4` and `red.9`.
 */
export const theme = createTheme({
  autoContrast: true,
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 8 },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  cursorType: 'pointer',
  defaultRadius: 'md',
  respectReducedMotion: true,
  headings: { fontWeight: '650' },
  components: { Badge: { defaultProps: { tt: 'none' } } },
});

/** Dimmed text, placeholders and errors with enough contrast on every background of the app. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#545b62',
    '--mantine-color-placeholder': '#6a7178',
    '--mantine-color-error': '#b91c1c',
    '--mantine-color-anchor': '#1864ab',
  },
  dark: {
    '--mantine-color-dimmed': '#a6abb1',
    '--mantine-color-placeholder': '#a0a5ab',
    '--mantine-color-error': '#ff9c9c',
    '--mantine-color-anchor': '#74c0fc',
  },
});
