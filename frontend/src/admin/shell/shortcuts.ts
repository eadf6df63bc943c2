import { useHotkeys, useLocalStorage } from '@mantine/hooks';
import { useLocation } from 'wouter';
import { useDialogs } from '../dialogs/dialogs';
import { confirmLeave } from '../ui/unsaved-changes';
import { SCREENS } from './screens';

/** What the single keys do besides leading to a screen; shown in the '?' sheet. */
export const KEYS = [
  { keys: 'Ctrl K', what: 'Jump to a buyer, an order, a lead or a screen' },
  {
    keys: 'Ctrl K …',
    what: '“limit of x to 50”, “pause x”, “resume x”, “resend failed of x”, “new order for x”',
  },
  { keys: 'N', what: 'Add a buyer' },
  { keys: 'O', what: 'Create an order' },
  { keys: '/', what: 'Go to the search field of the screen' },
  { keys: 'T', what: 'Light or dark' },
  { keys: '?', what: 'This sheet' },
] as const;

/** What they do in the claims' inbox instead. */
export const INBOX_KEYS = [
  { keys: 'I', what: 'Open the inbox, on the claims screen' },
  { keys: 'J', what: 'Next claim' },
  { keys: 'K', what: 'Claim before' },
  { keys: 'A', what: 'Approve' },
  { keys: 'R', what: 'Reject' },
  { keys: 'X', what: 'Select the claim' },
  { keys: 'Z', what: 'Take the last decision back' },
] as const;

/** Whether single keys do something; those who speak to their computer may switch them off. */
export function useSingleKeys() {
  return useLocalStorage({ key: 'single-keys', defaultValue: true, getInitialValueInEffect: false });
}

interface Actions {
  readonly openPalette: () => void;
  readonly toggleScheme: () => void;
}

/** Listens for the keys of the app; nothing happens while someone types or a dialog is open. */
export function useShortcuts({ openPalette, toggleScheme }: Actions): void {
  const [, navigate] = useLocation();
  const dialogs = useDialogs();
  const [singleKeys] = useSingleKeys();

  useHotkeys(dialogs.anyOpen ? [] : [['mod+K', openPalette]], []);
  useHotkeys(
    singleKeys && !dialogs.anyOpen
      ? [
          ...SCREENS.map((screen): [string, () => void] => [
            screen.key,
            () => {
              if (confirmLeave()) navigate(screen.path);
            },
          ]),
          ['n', () => dialogs.open('add-buyer', {})],
          ['o', () => dialogs.open('create-order', {})],
          ['t', toggleScheme],
          ['/', focusSearch],
          ['?', () => dialogs.open('shortcuts', {})],
          ['shift+?', () => dialogs.open('shortcuts', {})],
        ]
      : [],
  );
}

function focusSearch() {
  const field = document.querySelector('main input[type="search"]');
  if (field instanceof HTMLInputElement) field.focus();
}
