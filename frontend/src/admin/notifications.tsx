import { Alert, Button, CloseButton, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { ApiError, isUnreachable } from '../app/api';
import { connection } from '../app/connection';
import classes from './notifications.module.css';
import { TROUBLE } from './texts';

const ERROR_MS = 5000;
const SUCCESS_MS = 3000;
/** Long enough to read a message with a button, decide and reach the button. */
const WITH_ACTION_MS = 10_000;
const MARGIN_PX = 16;

interface MessageAction {
  readonly label: string;
  readonly run: () => void;
}

interface NotificationItem {
  readonly id: number;
  readonly kind: 'error' | 'success';
  readonly text: string;
  readonly action?: MessageAction | undefined;
  readonly about?: string | undefined;
}

/** What all messages about calls are about that did not reach the server. */
const NO_ANSWER = 'no answer';

interface Notifications {
  /**
   * Shows a banner for five seconds: the error's own text, or the text itself. If the server was not reached, an open form
   * says so instead.
   */
  readonly error: (error: unknown) => void;
  /**
   * Shows a message for three seconds; one that offers to do something, for ten.
   * @param about what it is about, so that it replaces an older message about the same
   */
  readonly success: (text: string, action?: MessageAction, about?: string) => void;
  /** A save begins. */
  readonly saving: () => void;
  /** A form is open above the others, until the returned function is called. */
  readonly formOpened: (id: string) => () => void;
}

const NotificationsContext = createContext<Notifications | undefined>(undefined);
/** By the ID of an open form: the text of its save that did not reach the server. */
const UnsavedContext = createContext<ReadonlyMap<string, string>>(new Map());

/**
 * The text to show for something that was thrown.
 * @param fallbackText replaces the call's own text if the server sends no message
 */
export function errorText(error: unknown, fallbackText?: string): string {
  if (typeof error === 'string') return error;
  if (error instanceof ApiError && !(error.isDefault && fallbackText !== undefined)) return error.message;
  return fallbackText ?? TROUBLE.loadData;
}

export function NotificationsProvider({ children }: { children: ReactNode }) {
  const [notifications, setNotifications] = useState<readonly NotificationItem[]>([]);
  const nextId = useRef(1);
  const queries = useQueryClient();
  const [unsaved, setUnsaved] = useState<ReadonlyMap<string, string>>(new Map());
  const forms = useRef<readonly string[]>([]);

  const dismiss = useCallback((id: number) => {
    setNotifications((shown) => shown.filter((item) => item.id !== id));
  }, []);

  const show = useCallback(
    (kind: NotificationItem['kind'], text: string, action?: MessageAction, about?: string) => {
      const id = nextId.current++;
      // The same text twice is one banner whose time starts again, and so are messages about the same.
      setNotifications((shown) => [
        ...shown
          .filter((item) => item.text !== text && (about === undefined || item.about !== about))
          .slice(-3),
        { id, kind, text, action, about },
      ]);
      window.setTimeout(
        () => dismiss(id),
        kind === 'error' ? ERROR_MS : action ? WITH_ACTION_MS : SUCCESS_MS,
      );
    },
    [dismiss],
  );

  const showError = useCallback(
    (error: unknown) => {
      // An expired session opens the login, which explains it. A banner would only confuse.
      if (!(error instanceof ApiError && error.status === 401))
        show('error', errorText(error), undefined, isUnreachable(error) ? NO_ANSWER : undefined);
    },
    [show],
  );

  const value = useMemo<Notifications>(() => {
    const forget = (form: string | undefined) =>
      setUnsaved((before) => new Map([...before].filter(([other]) => other !== form)));
    return {
      error: (error) => {
        const form = forms.current.at(-1);
        if (isUnreachable(error) && form !== undefined)
          setUnsaved((before) => new Map(before).set(form, errorText(error)));
        else showError(error);
      },
      success: (text, action, about) => show('success', text, action, about),
      saving: () => forget(forms.current.at(-1)),
      formOpened: (form) => {
        forms.current = [...forms.current, form];
        return () => {
          forms.current = forms.current.filter((other) => other !== form);
          forget(form);
        };
      },
    };
  }, [show, showError]);

  // A list stays visible if refreshing fails, so a banner warns that it may be outdated.
  useEffect(
    () =>
      queries.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return;
        // One bar reports it for all lists.
        if (connection.downSince() !== undefined) return;
        const { state, meta } = event.query;
        if (state.data !== undefined && meta?.ownPanel !== true) showError(event.action.error);
      }),
    [queries, showError],
  );

  // Dialogs and pages reserve this height at the bottom, so that nothing is covered.
  const stack = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const height = notifications.length > 0 ? (stack.current?.offsetHeight ?? 0) + MARGIN_PX : 0;
    document.documentElement.style.setProperty('--messages-height', `${height}px`);
  }, [notifications]);

  return (
    <NotificationsContext value={value}>
      <UnsavedContext value={unsaved}>{children}</UnsavedContext>
      <div ref={stack} className={classes.stack}>
        <div role="alert" aria-label="Errors">
          <NotificationList notifications={notifications} kind="error" dismiss={dismiss} />
        </div>
        <output aria-label="Messages">
          <NotificationList notifications={notifications} kind="success" dismiss={dismiss} />
        </output>
      </div>
    </NotificationsContext>
  );
}

interface ListProps {
  readonly notifications: readonly NotificationItem[];
  readonly kind: NotificationItem['kind'];
  readonly dismiss: (id: number) => void;
}

function NotificationList({ notifications, kind, dismiss }: ListProps) {
  return notifications
    .filter((item) => item.kind === kind)
    .map((item) => (
      <Alert
        key={item.id}
        className={classes.notification}
        role="presentation"
        variant="filled"
        color={kind === 'error' ? 'red.9' : 'teal.9'}
        p="sm"
      >
        <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
          <Text fw={500} c="white" lineClamp={3} title={item.text}>
            {item.text}
          </Text>
          <CloseButton
            size="sm"
            variant="transparent"
            c="white"
            aria-label="Dismiss"
            onClick={() => dismiss(item.id)}
          />
        </Group>
        {item.action && (
          <Button
            mt="xs"
            maw="100%"
            size="compact-sm"
            variant="white"
            color="teal.9"
            onClick={() => {
              item.action?.run();
              dismiss(item.id);
            }}
          >
            {item.action.label}
          </Button>
        )}
      </Alert>
    ));
}

/** In an open form: the text of a save that did not reach the server. */
export function useUnsaved(): string | undefined {
  const { formOpened } = useNotifications();
  const id = useId();
  useLayoutEffect(() => formOpened(id), [formOpened, id]);
  return useContext(UnsavedContext).get(id);
}

/** Banners and messages. Only inside NotificationsProvider. */
export function useNotifications(): Notifications {
  const notifications = useContext(NotificationsContext);
  if (!notifications) throw new Error('useNotifications needs a NotificationsProvider around it');
  return notifications;
}
