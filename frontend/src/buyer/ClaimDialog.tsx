import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useRef, useState } from 'react';
import type { Answer } from '#shared/contract/schemas';
import type { ViewedLead } from '#shared/contract/schemas/leads-view';
import {
  CHOOSE_REASON,
  checkClaim,
  checkClaimable,
  MAX_REASON_CHARACTERS,
  MIN_REASON_CHARACTERS,
  parseClaimReason,
  reasonLabel,
} from '#shared/rules/claim-windows';
import { CLAIM_REASONS, type ClaimReason } from '#shared/rules/constants';
import { formatNumber } from '#shared/rules/formats';
import { formatDay } from '#shared/rules/working-days';
import { call } from '../app/api';
import { Dialog } from './Dialog';
import { decisionWithin } from './deadline-texts';
import classes from './dialog.module.css';
import { errorText } from './dialog-error';
import { de } from './messages';
import { type LeadsView, nameOf, termsOf, withoutBidiControls } from './view';

/** Here, because only this dialog needs them. */
const TEXT = {
  title: 'Reklamation einreichen',
  reason: 'Grund',
  neFrom: (label: string, day: string) => `${label}, möglich ab ${day}`,
  neHint: (day: string) => `„Nicht erreichbar“ ist ab dem ${day} möglich.`,
  text: 'Beschreibung',
  textHint: (min: number, max: number) => `${min} bis ${formatNumber(max)} Zeichen`,
  submit: 'Reklamation einreichen',
  submitting: 'Wird eingereicht …',
};

interface Props {
  readonly token: string;
  readonly lead: ViewedLead;
  readonly order: LeadsView['order'];
  readonly now: Date;
  readonly onClose: () => void;
  readonly onFiled: (claim: Answer<'fileClaim'>['claim']) => void;
  /** The page may be out of date. */
  readonly onRefused: () => void;
}

export function ClaimDialog({ token, lead, order, now, onClose, onFiled, onRefused }: Props) {
  const [reason, setReason] = useState<ClaimReason | ''>('');
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const select = useRef<HTMLSelectElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const id = useId();

  const file = useMutation({
    mutationFn: (claimReason: string) =>
      call(
        'fileClaim',
        {
          query: { token },
          body: {
            lead_id: lead.lead_id,
            order_id: order.order_id,
            buyer_id: order.buyer_id,
            claim_reason: claimReason,
          },
        },
        { fallbackText: de.failed.submitClaim },
      ),
    onSuccess: ({ claim }) => onFiled(claim),
    onError: (failure) => {
      setError(errorText(failure));
      onRefused();
      window.alert(errorText(failure));
    },
  });

  const terms = termsOf(order);
  const rulesOf = {
    leadType: lead.lead_type,
    claimStatus: lead.claim_status,
    deliveredAt: new Date(lead.delivered_at),
  };
  const claimable = checkClaimable(rulesOf, terms, now);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (file.isPending) return;
    const claimReason = reason === 'other' && text.trim() !== '' ? text : reason;
    const checked = checkClaim(rulesOf, terms, now, claimReason);
    if (checked.ok) {
      setError(undefined);
      file.mutate(claimReason);
      return;
    }
    setError(checked.message);
    (reason === 'other' ? area : select).current?.focus();
  };

  return (
    <Dialog title={TEXT.title} onClose={onClose}>
      <p className={classes.subject}>
        <strong>{nameOf(lead)}</strong> · {lead.display_id} · {withoutBidiControls(lead.telefon)}
      </p>
      {claimable.ok ? (
        <form onSubmit={submit} noValidate className={classes.form}>
          <div className={classes.field}>
            <label htmlFor={`${id}reason`}>{TEXT.reason}</label>
            <select
              ref={select}
              id={`${id}reason`}
              name="claim_reason"
              value={reason}
              required
              aria-invalid={error !== undefined && reason !== 'other'}
              aria-describedby={`${id}hint ${id}error`}
              onChange={(event) => {
                setReason(CLAIM_REASONS.find((code) => code === event.target.value) ?? '');
                setError(undefined);
              }}
            >
              <option value="">{CHOOSE_REASON}</option>
              {CLAIM_REASONS.map((code) => {
                const early = code === 'ne' && !claimable.window.neOpen;
                const label = reasonLabel(code, terms.minDaysForNe);
                return (
                  <option key={code} value={code} disabled={early}>
                    {early ? TEXT.neFrom(label, formatDay(claimable.window.neFrom)) : label}
                  </option>
                );
              })}
            </select>
            <p id={`${id}hint`} className={classes.hint}>
              {de.claim.until(formatDay(claimable.window.lastDay))}.
              {!claimable.window.neOpen && ` ${TEXT.neHint(formatDay(claimable.window.neFrom))}`}
            </p>
            {order.claim_quota !== null && (
              <p className={classes.hint}>{de.claimQuota.left(order.claim_quota)}.</p>
            )}
            {order.decision_days !== null && (
              <p className={classes.hint}>{decisionWithin(order.decision_days, order.default_decision)}</p>
            )}
          </div>
          {reason === 'other' && (
            <div className={classes.field}>
              <label htmlFor={`${id}text`}>{TEXT.text}</label>
              <textarea
                ref={area}
                id={`${id}text`}
                name="claim_text"
                rows={4}
                maxLength={MAX_REASON_CHARACTERS}
                value={text}
                required
                aria-invalid={error !== undefined && !parseClaimReason(text).ok}
                aria-describedby={`${id}textHint ${id}error`}
                onChange={(event) => {
                  setText(event.target.value);
                  setError(undefined);
                }}
              />
              <p id={`${id}textHint`} className={classes.hint}>
                {TEXT.textHint(MIN_REASON_CHARACTERS, MAX_REASON_CHARACTERS)}
              </p>
            </div>
          )}
          <p id={`${id}error`} role="alert" className={classes.error}>
            {error}
          </p>
          <footer className={classes.buttons}>
            <button type="button" className={classes.plain} onClick={onClose}>
              {de.dialog.cancel}
            </button>
            <button type="submit" className={classes.primary} disabled={file.isPending}>
              {file.isPending ? TEXT.submitting : TEXT.submit}
            </button>
          </footer>
        </form>
      ) : (
        <p role="alert" className={classes.error}>
          {claimable.message}
        </p>
      )}
    </Dialog>
  );
}
