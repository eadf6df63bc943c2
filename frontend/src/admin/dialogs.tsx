import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useContext,
  useId,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import { useLocation } from 'react-router';
import { SilentErrorBoundary } from '../ui/ErrorBoundary';
import type { Buyer } from './data/buyers';
import type { Claim } from './data/claims';
import type { LeadDetails, PendingLead } from './data/leads';
import { useNotifications } from './notifications';
import { FAILED } from './texts';

/** Every dialog that can be opened from more than one screen, with what it needs to know. */
export type Dialog =
  | { readonly kind: 'add-buyer' }
  | { readonly kind: 'edit-buyer'; readonly buyer: Buyer }
  | { readonly kind: 'create-order'; readonly buyerId?: string }
  | { readonly kind: 'buyer-orders'; readonly buyerId: string }
  | {
      readonly kind: 'order-limit';
      readonly buyerId: string;
      readonly limit: number;
      /** Where it is one order among others. */
      readonly orderId?: number;
    }
  | { readonly kind: 'order-comments'; readonly orderId: number; readonly comments: string }
  | { readonly kind: 'edit-lead'; readonly lead: LeadDetails }
  | { readonly kind: 'assign-lead'; readonly lead: PendingLead }
  | { readonly kind: 'claim'; readonly claim: Claim }
  | { readonly kind: 'assigned'; readonly buyer: string; readonly link: string }
  | { readonly kind: 'new-link'; readonly buyerId: string; readonly link: string }
  | { readonly kind: 'shortcuts' };

export interface Confirmation {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly danger?: boolean;
}

interface Dialogs {
  readonly open: (dialog: Dialog) => void;
  /** Asks, and answers true if the person agrees. */
  readonly confirm: (question: Confirmation) => Promise<boolean>;
  readonly anyOpen: boolean;
}

const ConfirmDialog = lazy(async () => ({ default: (await import('./ui/ConfirmDialog')).ConfirmDialog }));
const AddBuyerDialog = lazy(async () => ({
  default: (await import('./buyers/BuyerDialogs')).AddBuyerDialog,
}));
const EditBuyerDialog = lazy(async () => ({
  default: (await import('./buyers/BuyerDialogs')).EditBuyerDialog,
}));
const CreateOrderDialog = lazy(async () => ({
  default: (await import('./orders/CreateOrderDialog')).CreateOrderDialog,
}));
const BuyerOrdersDialog = lazy(async () => ({
  default: (await import('./orders/BuyerOrdersDialog')).BuyerOrdersDialog,
}));
const OrderLimitDialog = lazy(async () => ({
  default: (await import('./orders/OrderLimitDialog')).OrderLimitDialog,
}));
const OrderCommentsDialog = lazy(async () => ({
  default: (await import('./orders/OrderCommentsDialog')).OrderCommentsDialog,
}));
const EditLeadDialog = lazy(async () => ({ default: (await import('./lead/LeadDialogs')).EditLeadDialog }));
const AssignLeadDialog = lazy(async () => ({
  default: (await import('./lead/LeadDialogs')).AssignLeadDialog,
}));
const ClaimDialog = lazy(async () => ({ default: (await import('./claims/ClaimDialog')).ClaimDialog }));
const AssignedDialog = lazy(async () => ({
  default: (await import('./lead/AssignedDialog')).AssignedDialog,
}));
const NewLinkDialog = lazy(async () => ({ default: (await import('./orders/NewLinkDialog')).NewLinkDialog }));
const ShortcutsDialog = lazy(async () => ({
  default: (await import('./shell/ShortcutsDialog')).ShortcutsDialog,
}));

const DialogsContext = createContext<Dialogs | undefined>(undefined);
const OnScreenContext = createContext<OnScreen | undefined>(undefined);

/** The dialogs that are drawn, whoever draws them, the one on top last. */
interface OnScreen {
  readonly ids: readonly string[];
  readonly change: (change: (ids: readonly string[]) => readonly string[]) => void;
}
interface Entry {
  readonly id: number;
  readonly dialog: Dialog;
}
interface Question extends Confirmation {
  readonly answer: (agreed: boolean) => void;
}

let nextId = 1;

/** Holds the open dialogs, one above the other. They belong to the screen they were opened on and leave with it. */
export function DialogsProvider({ children }: { children: ReactNode }) {
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [question, setQuestion] = useState<Question>();
  const notifications = useNotifications();
  const [ids, change] = useState<readonly string[]>([]);
  const onScreen = useMemo<OnScreen>(() => ({ ids, change }), [ids]);
  const anyOpen = ids.length > 0;

  const { pathname } = useLocation();
  const [screen, setScreen] = useState(pathname);
  if (screen !== pathname) {
    setScreen(pathname);
    setEntries([]);
    setQuestion(undefined);
  }

  const dialogs = useMemo<Dialogs>(
    () => ({
      open: (dialog) =>
        setEntries((open) =>
          open.some((entry) => entry.dialog.kind === dialog.kind)
            ? open
            : [...open, { id: nextId++, dialog }],
        ),
      confirm: (asked) => new Promise((answer) => setQuestion({ ...asked, answer })),
      anyOpen,
    }),
    [anyOpen],
  );

  const close = (entry: Entry) => setEntries((open) => open.filter(({ id }) => id !== entry.id));
  const answer = (agreed: boolean) => {
    question?.answer(agreed);
    setQuestion(undefined);
  };

  return (
    <DialogsContext value={dialogs}>
      <OnScreenContext value={onScreen}>
        {children}
        {entries.map((entry) => (
          <SilentErrorBoundary
            key={entry.id}
            onFailed={() => {
              close(entry);
              notifications.error(FAILED.loadData);
            }}
          >
            <Suspense fallback={null}>
              <AnyDialog dialog={entry.dialog} close={() => close(entry)} />
            </Suspense>
          </SilentErrorBoundary>
        ))}
        {question && (
          <Suspense fallback={null}>
            <ConfirmDialog {...question} answer={answer} />
          </Suspense>
        )}
      </OnScreenContext>
    </DialogsContext>
  );
}

function AnyDialog({ dialog, close }: { dialog: Dialog; close: () => void }) {
  switch (dialog.kind) {
    case 'add-buyer':
      return <AddBuyerDialog close={close} />;
    case 'edit-buyer':
      return <EditBuyerDialog buyer={dialog.buyer} close={close} />;
    case 'create-order':
      return <CreateOrderDialog buyerId={dialog.buyerId ?? ''} close={close} />;
    case 'buyer-orders':
      return <BuyerOrdersDialog buyerId={dialog.buyerId} close={close} />;
    case 'order-limit':
      return (
        <OrderLimitDialog
          buyerId={dialog.buyerId}
          limit={dialog.limit}
          orderId={dialog.orderId}
          close={close}
        />
      );
    case 'order-comments':
      return <OrderCommentsDialog orderId={dialog.orderId} comments={dialog.comments} close={close} />;
    case 'edit-lead':
      return <EditLeadDialog lead={dialog.lead} close={close} />;
    case 'assign-lead':
      return <AssignLeadDialog lead={dialog.lead} close={close} />;
    case 'claim':
      return <ClaimDialog claim={dialog.claim} close={close} />;
    case 'assigned':
      return <AssignedDialog buyer={dialog.buyer} link={dialog.link} close={close} />;
    case 'new-link':
      return <NewLinkDialog buyerId={dialog.buyerId} link={dialog.link} close={close} />;
    case 'shortcuts':
      return <ShortcutsDialog close={close} />;
  }
}

/** Opens dialogs and asks questions. Only inside DialogsProvider. */
export function useDialogs(): Dialogs {
  const dialogs = useContext(DialogsContext);
  if (!dialogs) throw new Error('useDialogs needs a DialogsProvider around it');
  return dialogs;
}

/**
 * For every dialog, as long as it is drawn: gives the focus back to where it was before.
 * @returns whether it is the one on top: only then Escape and the focus are its own
 */
export function useIsTopmost(): boolean {
  const onScreen = useContext(OnScreenContext);
  if (!onScreen) throw new Error('useOnTop needs a DialogsProvider around it');
  const { ids, change } = onScreen;
  const id = useId();
  useLayoutEffect(() => {
    const before = document.activeElement;
    change((shown) => [...shown, id]);
    return () => {
      change((shown) => shown.filter((other) => other !== id));
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, [id, change]);
  return ids.at(-1) === id;
}
