/** Set by the component library. */
const STORED_CHOICE = 'mantine-color-scheme-value';

/** Before anything is drawn, so that a dark page never flashes white. */
export function applyColorScheme(): void {
  const choice = readChoice();
  const dark =
    choice === 'dark' || (choice !== 'light' && window.matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
}

function readChoice(): string | null {
  try {
    return window.localStorage.getItem(STORED_CHOICE);
  } catch {
    return null;
  }
}
