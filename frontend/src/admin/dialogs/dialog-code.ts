import type { ComponentType } from 'react';
import { lazyComponent } from '../../ui/lazy-component';
import type { DialogInput, DialogKind } from './dialogs';

/** The component behind each kind of dialog, loaded when it is first opened. */
export const DIALOGS: {
  readonly [Kind in DialogKind]: ComponentType<DialogInput<Kind>>;
} = {
  'add-buyer': lazyComponent(async () => (await import('../buyers/BuyerDialogs')).AddBuyerDialog),
  'edit-buyer': lazyComponent(async () => (await import('../buyers/BuyerDialogs')).EditBuyerDialog),
  'delete-buyer': lazyComponent(async () => (await import('../buyers/DeleteBuyerDialog')).DeleteBuyerDialog),
  weights: lazyComponent(async () => (await import('../buyers/WeightsDialog')).WeightsDialog),
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
  'kept-consent': lazyComponent(async () => (await import('../lead/KeptConsentDialog')).KeptConsentDialog),
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
  company: lazyComponent(async () => (await import('../settings/CompanyDialog')).CompanyDialog),
  retention: lazyComponent(async () => (await import('../settings/RetentionDialog')).RetentionDialog),
  alerts: lazyComponent(async () => (await import('../settings/AlertsDialog')).AlertsDialog),
  'push-credentials': lazyComponent(
    async () => (await import('../settings/PushDialogs')).AddCredentialsDialog,
  ),
  'push-template': lazyComponent(async () => (await import('../settings/PushDialogs')).PushTemplateDialog),
  webhook: lazyComponent(async () => (await import('../settings/webhooks/WebhookDialog')).WebhookDialog),
  bulk: lazyComponent(async () => (await import('../pending-leads/BulkDialog')).BulkDialog),
  'export-leads': lazyComponent(async () => (await import('../leads/ExportDialog')).ExportDialog),
  source: lazyComponent(async () => (await import('../sources/SourceDialog')).SourceDialog),
  'source-state': lazyComponent(async () => (await import('../sources/StateDialog')).StateDialog),
  'source-keys': lazyComponent(async () => (await import('../sources/KeysDialog')).KeysDialog),
  'source-form': lazyComponent(async () => (await import('../sources/FormDialog')).FormDialog),
  callbacks: lazyComponent(
    async () => (await import('../sources/callbacks/CallbacksDialog')).CallbacksDialog,
  ),
  import: lazyComponent(async () => (await import('../sources/import/ImportDialog')).ImportDialog),
  'exclude-source': lazyComponent(async () => (await import('../sources/ExclusionDialog')).ExclusionDialog),
  'admin-link': lazyComponent(async () => (await import('../admins/LinkDialog')).LinkDialog),
  'api-key': lazyComponent(async () => (await import('../admins/ApiKeyDialog')).ApiKeyDialog),
  sessions: lazyComponent(async () => (await import('../admins/SessionsDialog')).SessionsDialog),
  password: lazyComponent(async () => (await import('../admins/PasswordDialog')).PasswordDialog),
  passkeys: lazyComponent(async () => (await import('../admins/PasskeysDialog')).PasskeysDialog),
  reauthentication: lazyComponent(
    async () => (await import('../admins/ReauthenticationDialog')).ReauthenticationDialog,
  ),
  shortcuts: lazyComponent(async () => (await import('../shell/ShortcutsDialog')).ShortcutsDialog),
};
