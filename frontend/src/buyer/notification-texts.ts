import type { NotificationKind } from '#shared/rules/constants';

export const notificationTexts = {
  kinds: {
    claim_decided: 'Entscheidung über eine Reklamation',
    order_nearly_full: 'Bestellung fast vollständig',
    weekly_statement: 'Abrechnung, jeden Montag',
  } satisfies Record<NotificationKind, string>,
  legend: 'Per E-Mail informieren über:',
  to: (email: string) => `Die E-Mails gehen an ${email}.`,
  saved: 'Gespeichert.',
  closed: {
    bounced_soft: 'E-Mails an diese Adresse kommen manchmal zurück.',
    bounced_hard:
      'E-Mails an diese Adresse kommen zurück, deshalb senden wir nichts mehr. Bitte nennen Sie uns eine andere.',
    complained:
      'Eine E-Mail an diese Adresse wurde als Spam gemeldet, deshalb senden wir nichts mehr. Bitte melden Sie sich bei uns.',
  },
  failed: 'Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.',
  retry: 'Erneut versuchen',
  unsubscribe: {
    title: 'E-Mails abbestellen',
    question: (kind: string) => `Möchten Sie keine E-Mails mehr erhalten zu: „${kind}“?`,
    action: 'Abbestellen',
    off: (kind: string) => `Abbestellt: „${kind}“. Sie erhalten dazu keine E-Mails mehr.`,
    again: 'Weiter erhalten',
    on: (kind: string) => `Sie erhalten weiter E-Mails zu: „${kind}“.`,
    unknown: 'Dieser Link zum Abbestellen ist nicht gültig',
    unknownHint: 'Auf Ihrer Lead-Liste können Sie unter „Benachrichtigungen“ wählen, was Sie erhalten.',
  },
} as const;
