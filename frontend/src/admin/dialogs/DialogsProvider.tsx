import {
  type ComponentType,
  createElement,
  type ReactElement,
  type ReactNode,
  Suspense,
  useMemo,
  useState,
} from 'react';
import { useLocation } from 'wouter';
import { useAuth } from '../../app/auth';
import { ErrorBoundary } from '../../ui/ErrorBoundary';
import { lazyComponent } from '../../ui/lazy-component';
import { useCodeFailed } from '../ui/code-failed';
import type { DIALOGS } from './dialog-code';
import {
  type Confirmation,
  type DialogInput,
  type DialogKind,
  type DialogProps,
  type DialogStack,
  DialogStackContext,
  type Dialogs,
  DialogsContext,
} from './dialogs';

const ConfirmDialog = lazyComponent(async () => (await import('../ui/ConfirmDialog')).ConfirmDialog);

/** Kept after loading, so that the next dialog opens without delay. */
let code: { readonly DIALOGS: typeof DIALOGS } | undefined;

interface OpenDialog {
  readonly id: number;
  readonly kind: DialogKind;
  readonly element: ReactElement;
  readonly close: () => void;
}
interface Question extends Confirmation {
  readonly answer: (agreed: boolean) => unknown;
}

let nextId = 1;

/** Renders the open dialogs, one above the other. They close when the user leaves the screen they were opened on. */
export function DialogsProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<readonly OpenDialog[]>([]);
  const [question, setQuestion] = useState<Question>();
  const codeFailed = useCodeFailed();
  const [ids, update] = useState<readonly string[]>([]);
  // The login dialog is above them all.
  const isLoginOpen = useAuth().state === 'expired';
  const stack = useMemo<DialogStack>(
    () => ({ ids: isLoginOpen ? [...ids, 'login'] : ids, update }),
    [ids, isLoginOpen],
  );
  // From the request, not from the loaded code: keys typed meanwhile must do nothing.
  const anyOpen = stack.ids.length > 0 || open.length > 0 || question !== undefined;

  const [pathname] = useLocation();
  const [screen, setScreen] = useState(pathname);
  if (screen !== pathname) {
    setScreen(pathname);
    setOpen([]);
    setQuestion(undefined);
  }

  const dialogs = useMemo<Dialogs>(
    () => ({
      open: (kind, props, onClosed) => {
        const id = nextId++;
        const close = () => {
          setOpen((before) => before.filter((other) => other.id !== id));
          onClosed?.();
        };
        const dialog = { id, kind, close, element: dialogElement(id, kind, props, close) };
        setOpen((before) => (before.some((other) => other.kind === kind) ? before : [...before, dialog]));
      },
      confirm: (confirmation) => new Promise((answer) => setQuestion({ ...confirmation, answer })),
      ask: (confirmation, act) => setQuestion({ ...confirmation, answer: (agreed) => agreed && act() }),
      anyOpen,
    }),
    [anyOpen],
  );

  const answer = (agreed: boolean) => {
    question?.answer(agreed);
    setQuestion(undefined);
  };

  return (
    <DialogsContext value={dialogs}>
      <DialogStackContext value={stack}>
        {children}
        {open.map(({ id, element, close }) => (
          <ErrorBoundary
            key={id}
            onFailed={(error) => {
              close();
              codeFailed(error);
            }}
          >
            <Suspense fallback={null}>{element}</Suspense>
          </ErrorBoundary>
        ))}
        {question && (
          <Suspense fallback={null}>
            <ConfirmDialog {...question} answer={answer} />
          </Suspense>
        )}
      </DialogStackContext>
    </DialogsContext>
  );
}

function dialogElement<Kind extends DialogKind>(
  key: number,
  kind: Kind,
  props: DialogProps[Kind],
  close: () => void,
): ReactElement {
  const Dialog: ComponentType<DialogInput<Kind>> =
    code?.DIALOGS[kind] ??
    lazyComponent(async () => {
      code = await import('./dialog-code');
      const { [kind]: Loaded } = code.DIALOGS;
      return () => createElement(Loaded, { key, ...props, close });
    });
  return createElement(Dialog, { key, ...props, close });
}
