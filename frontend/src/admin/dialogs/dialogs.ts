import { createContext, useContext, useId, useLayoutEffect } from 'react';
import type { CompanyRow } from '#shared/contract/rows/company';
import type { ExportFormat, Renewal } from '#shared/rules/constants';
import type { Buyer } from '../data/buyers';
import type { Claim } from '../data/claims';
import type { LeadQuery } from '../data/lead-list';
import type { LeadDetails, PendingLead } from '../data/leads';
import type { Order } from '../data/orders';
import type { AlertSettings, EmailTemplate, RetentionSettings, Verification } from '../data/settings';
import type { Source } from '../data/sources';
import type { Webhook } from '../data/webhooks';
import type { Caps, CapValues } from '../orders/caps';
import type { BulkAction, BulkLead } from '../pending-leads/bulk-action';
import type { TemplateMode } from '../settings/template-form';

/**
 * The dialogs of the admin app, with their inputs. Callers and dialogs use only these names; dialog-code.ts maps them to
 * components. Only ClaimsInbox renders its own dialog, because it keeps an empty list behind it and moves on when the
 * dialog closes.
 */
export interface DialogProps {
  readonly 'add-buyer': object;
  readonly 'edit-buyer': { readonly buyer: Buyer };
  readonly 'delete-buyer': { readonly buyer: Buyer };
  readonly weights: {
    /** A buyer that is about to become active, and therefore counts in the sum. */
    readonly including?: string;
  };
  readonly 'create-order': { readonly buyerId?: string };
  readonly 'buyer-orders': { readonly buyerId: string };
  readonly 'order-limit': {
    readonly buyerId: string;
    readonly order: Caps & Pick<Order, 'lead_limit' | 'leads_received'>;
    /** For a list of several orders. */
    readonly orderId?: number;
    /** The admin's own values, if another admin has saved others meanwhile. */
    readonly mine?: CapValues & { readonly lead_limit: string };
    /** The field's initial value, instead of the current limit. */
    readonly proposed?: string;
  };
  readonly 'order-renewal': {
    readonly buyerId: string;
    readonly orderId: number;
    readonly prepay: boolean;
    readonly renewal: Renewal;
  };
  readonly 'order-comments': {
    readonly buyerId: string;
    readonly orderId: number;
    /** Counts within the buyer. */
    readonly orderNumber: number;
    readonly comments: string;
  };
  readonly 'edit-lead': { readonly lead: LeadDetails };
  readonly 'assign-lead': { readonly lead: PendingLead };
  readonly 'kept-consent': { readonly leadId: string; readonly until: string };
  readonly claim: { readonly claim: Claim };
  readonly assigned: { readonly buyer: string; readonly link: string | null };
  readonly 'new-link': {
    readonly buyerId: string;
    readonly link: string;
    /** The order that was just created; without it, the link of an order was renewed. */
    readonly created?: CreatedOrder;
  };
  readonly template: {
    readonly mode: TemplateMode;
    /** Called with the new template's ID. */
    readonly onCreated?: (id: string) => void;
  };
  readonly 'edit-template': { readonly templateId: string };
  readonly 'test-email': { readonly template: EmailTemplate };
  readonly verification: { readonly stored: Verification };
  readonly company: { readonly stored: CompanyRow };
  readonly retention: { readonly stored: RetentionSettings };
  readonly alerts: { readonly stored: AlertSettings };
  readonly 'push-credentials': object;
  readonly 'push-template': object;
  /** If absent, a new one. */
  readonly webhook: { readonly webhook?: Webhook };
  readonly bulk: { readonly action: BulkAction; readonly leads: readonly BulkLead[] };
  readonly 'export-leads': {
    readonly query: LeadQuery;
    readonly format: ExportFormat;
    /** Null: unknown. */
    readonly total: number | null;
  };
  /** If absent, a new source. */
  readonly source: { readonly source?: Source };
  readonly 'source-state': { readonly source: Source };
  readonly 'source-keys': { readonly source: Source };
  readonly 'source-form': { readonly source: Source; readonly initialKey?: string };
  readonly callbacks: { readonly source: Source };
  readonly import: { readonly source: Source };
  readonly 'exclude-source': {
    readonly source: Pick<Source, 'source_id' | 'name'>;
    readonly buyerId: string;
  };
  /** If absent, a new admin. */
  readonly 'admin-link': { readonly username?: string };
  readonly 'api-key': object;
  readonly sessions: { readonly username: string };
  readonly password: { readonly username: string };
  readonly passkeys: object;
  readonly reauthentication: { readonly onReauthenticated: () => void };
  readonly shortcuts: object;
}

export interface CreatedOrder {
  readonly orderId: number;
  /** The buyer's first one. */
  readonly isFirst: boolean;
  readonly limit: number;
  /** How many pending leads it was expected to take at once; undefined if unknown. */
  readonly expected: number | undefined;
  /** How many pending leads there were; undefined if unknown. */
  readonly waiting: number | undefined;
}

export type DialogKind = keyof DialogProps;

/** The props of a dialog's component. */
export type DialogInput<Kind extends DialogKind> = DialogProps[Kind] & { readonly close: () => void };

export interface Confirmation {
  readonly title: string;
  readonly text: string;
  /** The label of the confirming button. */
  readonly action: string;
}

export interface Dialogs {
  readonly open: <Kind extends DialogKind>(
    kind: Kind,
    props: DialogProps[Kind],
    onClosed?: () => void,
  ) => void;
  /** Asks, and returns true if the user agrees. */
  readonly confirm: (question: Confirmation) => Promise<boolean>;
  /** Asks, and acts if the user agrees. */
  readonly ask: (question: Confirmation, act: () => void) => void;
  readonly anyOpen: boolean;
}

/** The IDs of the visible dialogs, whichever component renders them; the topmost is last. */
export interface DialogStack {
  readonly ids: readonly string[];
  readonly update: (change: (ids: readonly string[]) => readonly string[]) => void;
}

export const DialogsContext = createContext<Dialogs | undefined>(undefined);
export const DialogStackContext = createContext<DialogStack | undefined>(undefined);

/** Opens dialogs and asks for confirmation. Only inside DialogsProvider. */
export function useDialogs(): Dialogs {
  const dialogs = useContext(DialogsContext);
  if (!dialogs) throw new Error('useDialogs needs a DialogsProvider around it');
  return dialogs;
}

/**
 * Registers a dialog while it is rendered, and afterwards returns the focus to where it was before.
 * @returns whether the dialog is the topmost: only that one traps the focus and closes with Escape
 */
export function useIsTopmost(): boolean {
  const stack = useContext(DialogStackContext);
  if (!stack) throw new Error('useIsTopmost needs a DialogsProvider around it');
  const { ids, update } = stack;
  const id = useId();
  useLayoutEffect(() => {
    const focused = document.activeElement;
    update((open) => [...open, id]);
    return () => {
      update((open) => open.filter((other) => other !== id));
      if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    };
  }, [id, update]);
  return ids.at(-1) === id;
}
