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
import { SilentErrorBoundary } from '../../ui/ErrorBoundary';
import { lazyComponent } from '../../ui/lazy-component';
import { useCodeFailed } from '../ui/code-failed';
import {
  type Confirmation,
  type DialogKind,
  type DialogProps,
  type DialogStack,
  DialogStackContext,
  type Dialogs,
  DialogsContext,
} from './dialogs';

const ConfirmDialog = lazyComponent(async () => (await import('../ui/ConfirmDialog')).ConfirmDialog);

/** The component behind each kind of dialog, loaded when it is first opened. */
const DIALOGS: { readonly [Kind in DialogKind]: ComponentType<DialogProps[Kind] & { close: () => void }> } = {
  'add-buyer': lazyComponent(async () => (await import('../buyers/BuyerDialogs')).AddBuyerDialog),
  'edit-buyer': lazyComponent(async () => (await import('../buyers/BuyerDialogs')).EditBuyerDialog),
  'delete-buyer': lazyComponent(async () => (await import('../buyers/DeleteBuyerDialog')).DeleteBuyerDialog),
  weights: lazyComponent(async () => (await import('../buyers/WeightsDialog')).WeightsDialog),
  'why-nothing': lazyComponent(async () => (await import('../buyers/WhyNothingDialog')).WhyNothingDialog),
  'create-order': lazyComponent(async () => (await import('../orders/CreateOrderDialog')).CreateOrderDialog),
  'buyer-orders': lazyComponent(async () => (await import('../orders/BuyerOrdersDialog')).BuyerOrdersDialog),
  'order-limit': lazyComponent(async () => (await import('../orders/OrderLimitDialog')).OrderLimitDialog),
  'order-renewal': lazyComponent(
    async () => (await import('../orders/OrderRenewalDialog')).OrderRenewalDialog,
  ),
  'order-comments': lazyComponent(
    async () => (await import('../orders/OrderCommentsDialog')).OrderCommentsDialog,
  ),
  'edit-lead': lazyComponent(async () => (await import('../lead/LeadDialogs')).EditLeadDialog),
  'assign-lead': lazyComponent(async () => (await import('../lead/LeadDialogs')).AssignLeadDialog),
  claim: lazyComponent(async () => (await import('../claims/ClaimDialog')).ClaimDialog),
  assigned: lazyComponent(async () => (await import('../lead/AssignedDialog')).AssignedDialog),
  'new-link': lazyComponent(async () => (await import('../orders/NewLinkDialog')).NewLinkDialog),
  template: lazyComponent(async () => (await import('../settings/TemplateDialog')).TemplateDialog),
  'edit-template': lazyComponent(
    async () => (await import('../settings/EditTemplateDialog')).EditTemplateDialog,
  ),
  'test-email': lazyComponent(async () => (await import('../settings/TestEmailDialog')).TestEmailDialog),
  verification: lazyComponent(
    async () => (await import('../settings/VerificationDialog')).VerificationDialog,
  ),
  retention: lazyComponent(async () => (await import('../settings/RetentionDialog')).RetentionDialog),
  alerts: lazyComponent(async () => (await import('../settings/AlertsDialog')).AlertsDialog),
  'push-credentials': lazyComponent(
    async () => (await import('../settings/PushDialogs')).AddCredentialsDialog,
  ),
  'push-template': lazyComponent(async () => (await import('../settings/PushDialogs')).PushTemplateDialog),
  bulk: lazyComponent(async () => (await import('../pending-leads/BulkDialog')).BulkDialog),
  source: lazyComponent(async () => (await import('../sources/SourceDialog')).SourceDialog),
  'source-state': lazyComponent(async () => (await import('../sources/StateDialog')).StateDialog),
  'source-keys': lazyComponent(async () => (await import('../sources/KeysDialog')).KeysDialog),
  'source-form': lazyComponent(async () => (await import('../sources/FormDialog')).FormDialog),
  callbacks: lazyComponent(
    async () => (await import('../sources/callbacks/CallbacksDialog')).CallbacksDialog,
  ),
  import: lazyComponent(async () => (await import('../sources/import/ImportDialog')).ImportDialog),
  'admin-link': lazyComponent(async () => (await import('../admins/LinkDialog')).LinkDialog),
  sessions: lazyComponent(async () => (await import('../admins/SessionsDialog')).SessionsDialog),
  password: lazyComponent(async () => (await import('../admins/PasswordDialog')).PasswordDialog),
  passkeys: lazyComponent(async () => (await import('../admins/PasskeysDialog')).PasskeysDialog),
  proof: lazyComponent(async () => (await import('../admins/ProofDialog')).ProofDialog),
  shortcuts: lazyComponent(async () => (await import('../shell/ShortcutsDialog')).ShortcutsDialog),
};

interface OpenDialog {
  readonly id: number;
  readonly kind: DialogKind;
  readonly element: ReactElement;
  readonly close: () => void;
}
interface Question extends Confirmation {
  readonly answer: (agreed: boolean) => void;
}

let nextId = 1;

/** Renders the open dialogs, one above the other. They close when the user leaves the screen they were opened on. */
export function DialogsProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<readonly OpenDialog[]>([]);
  const [question, setQuestion] = useState<Question>();
  const codeFailed = useCodeFailed();
  const [ids, update] = useState<readonly string[]>([]);
  // The log-in over the screen is above them all.
  const isLoginOpen = useAuth().state === 'expired';
  const stack = useMemo<DialogStack>(
    () => ({ ids: isLoginOpen ? [...ids, 'login'] : ids, update }),
    [ids, isLoginOpen],
  );
  // From the moment that one is asked for, not only when its code is there: what is typed meanwhile must do nothing.
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
          <SilentErrorBoundary
            key={id}
            onFailed={(error) => {
              close();
              codeFailed(error);
            }}
          >
            <Suspense fallback={null}>{element}</Suspense>
          </SilentErrorBoundary>
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
  return createElement(DIALOGS[kind], { key, ...props, close });
}
