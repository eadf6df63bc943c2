import { type CSSVariablesResolver, createTheme } from '@mantine/core';

/**
 * The library's default colours fail WCAG AA; shade 8 with `autoContrast` passes. Tags have their own colours
 * (`ui/base.css`).
 */
export const theme = createTheme({
  autoContrast: true,
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 8 },
  fontFamily: 'var(--font)',
  // 12, 13 (tables), 14, 16, 20, 24 (figures). Headings differ by weight and position.
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  cursorType: 'pointer',
  defaultRadius: 'md',
  respectReducedMotion: true,
  components: {
    Alert: { defaultProps: { variant: 'outline' } },
    Text: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': 'Show or hide' } } },
  },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '20px', lineHeight: '28px' },
      h2: { fontSize: '20px', lineHeight: '28px' },
      h3: { fontSize: '16px', lineHeight: '24px' },
      h4: { fontSize: '16px', lineHeight: '24px' },
      h5: { fontSize: '14px', lineHeight: '20px' },
      h6: { fontSize: '14px', lineHeight: '20px' },
    },
  },
});

/** The colours of `ui/base.css`. */
const PALETTE = {
  '--mantine-color-body': 'var(--card)',
  '--mantine-color-dimmed': 'var(--muted)',
  '--mantine-color-anchor': 'var(--accent)',
};

/** With enough contrast on every background. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...PALETTE,
    '--mantine-color-placeholder': '#6a7178',
    '--mantine-color-error': '#b91c1c',
  },
  dark: {
    ...PALETTE,
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-placeholder': '#a6abb1',
    '--mantine-color-error': '#ff9c9c',
    // Fields, rows under the mouse, and lines, on a card.
    '--mantine-color-dark-7': 'var(--card)',
    '--mantine-color-dark-6': '#383838',
    '--mantine-color-dark-5': '#3c3c3c',
    '--mantine-color-dark-4': '#4a4a4a',
    // The library's colour is nearly white here.
    '--mantine-color-blue-light-color': '#74c0fc',
  },
});
