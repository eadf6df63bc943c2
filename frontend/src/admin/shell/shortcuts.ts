import { useHotkeys, useLocalStorage } from '@mantine/hooks';
import { useLocation } from 'wouter';
import { type RestrictedId } from '#shared/contract/roles';
import { useMay } from '../data/rights';
import { useDialogs } from '../dialogs/dialogs';
import { MISSED_LEADS_PATH } from '../statistics/tabs';
import { confirmLeave } from '../ui/unsaved-changes';
import { SCREENS, useMayOpen } from './screens';

/** Single keys that do not open a screen; listed in the '?' dialog. */
export const KEYS: readonly {
  readonly keys: string;
  readonly what: string;
  readonly needs?: RestrictedId;
}[] = [
  { keys: 'Ctrl K', what: 'Go to a buyer, order, lead or screen' },
  {
    keys: 'Ctrl K …',
    what: '“limit of x to 50”, “pause x”, “resume x”, “resend failed of x”, “new order for x”',
    needs: 'createOrder',
  },
  { keys: 'N', what: 'Add a buyer', needs: 'createBuyer' },
  { keys: 'O', what: 'Create an order', needs: 'createOrder' },
  { keys: '/', what: 'Focus the search field' },
  { keys: 'M', what: 'Missed leads and delivery times' },
  { keys: 'T', what: 'Light or dark' },
  { keys: '?', what: 'Show this list' },
];

/** Their meaning in the claims inbox. */
export const INBOX_KEYS = [
  { keys: 'I', what: 'Open the claims inbox' },
  { keys: 'J', what: 'Next claim' },
  { keys: 'K', what: 'Previous claim' },
  { keys: 'A', what: 'Approve' },
  { keys: 'R', what: 'Reject' },
  { keys: 'X', what: 'Select the claim' },
  { keys: 'Z', what: 'Undo the last decision' },
] as const;

/** Users of speech input may switch single keys off. */
export function useSingleKeys() {
  return useLocalStorage({ key: 'single-keys', defaultValue: true, getInitialValueInEffect: false });
}

interface Actions {
  readonly openPalette: () => void;
  readonly toggleScheme: () => void;
}

/** Ignored while someone types or a dialog is open. */
export function useShortcuts({ openPalette, toggleScheme }: Actions): void {
  const [, navigate] = useLocation();
  const dialogs = useDialogs();
  const [singleKeys] = useSingleKeys();
  const may = useMay();
  const mayOpen = useMayOpen();
  const go = (path: string) => {
    if (confirmLeave()) navigate(path);
  };

  useHotkeys(dialogs.anyOpen ? [] : [['mod+K', openPalette]], []);
  useHotkeys(
    singleKeys && !dialogs.anyOpen
      ? [
          ...SCREENS.flatMap(({ key, path }): [string, () => void][] =>
            key === undefined || !mayOpen(path) ? [] : [[key, () => go(path)]],
          ),
          ['m', () => go(MISSED_LEADS_PATH)],
          ['n', () => may('createBuyer') && dialogs.open('add-buyer', {})],
          ['o', () => may('createOrder') && dialogs.open('create-order', {})],
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
