/** Under this key the component library keeps the admin's choice. */
const STORED_CHOICE = 'mantine-color-scheme-value';

/**
 * Sets light or dark on the document before anything is drawn, so that a dark page never flashes white.
 * The stored choice wins, else what the system prefers.
 */
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
