/** Set by the component library. */
const STORED_CHOICE = 'mantine-color-scheme-value';

/** Before anything is drawn, so that a dark page never flashes white; and when the system changes. */
export function applyColorScheme(): void {
  const system = window.matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    const choice = readChoice();
    const dark = choice === 'dark' || (choice !== 'light' && system.matches);
    document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  };
  system.addEventListener('change', apply);
  apply();
}

function readChoice(): string | null {
  try {
    return window.localStorage.getItem(STORED_CHOICE);
  } catch {
    return null;
  }
}
