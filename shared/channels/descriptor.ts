/**
 * The descriptor of a channel, from which the buyer's schemas, rows, request checks, masked secrets and form fields are
 * derived; its adapter is in `functions/channels`. It is plain data without the validation library, because the browser
 * loads it.
 */
import type { AnswerRule } from '#shared/rules/answer-rules';

export interface ChannelDescriptor {
  /** Stored with every delivery, and part of paths and queue messages: it must not change. */
  readonly id: string;
  /** The buyer's field that switches the channel on. */
  readonly flag: string;
  /** The name that admins see, in lists and as the title of the badge. */
  readonly label: string;
  /** Shown in the list of buyers where the channel is on; the colour is one of Mantine's. */
  readonly badge: string;
  /** Texts of the channel's section in the buyer form. */
  readonly form: { readonly legend: string; readonly toggle: string };
  /** Completes the text "Required for …" of a missing field. */
  readonly requiredFor: string;
  /** The form has a console, which sends a test lead with what is typed; the adapter then has `tryOut`. */
  readonly console?: true;
  /** The buyer's further fields, in the order of the form. */
  readonly fields: readonly ChannelField[];
}

interface Common {
  readonly name: string;
  readonly label: string;
  /** While the channel is on, form and API refuse a buyer without the field. */
  readonly required?: true;
  /** The form's text for the missing field; by default the label with "is required". */
  readonly requiredText?: string;
  /** Shown, sent and required only while another field of the channel, a choice, has one of these values. */
  readonly shownWhen?: { readonly name: string; readonly oneOf: readonly string[] };
  /** The form shows and sends it also while the channel is off, because another channel uses it as well. */
  readonly shownWhenOff?: true;
  /** The form shows neighbours with the same text folded away below it. */
  readonly folded?: string;
}

interface InputHints {
  readonly autoComplete?: 'off' | 'new-password';
  readonly placeholder?: string;
  readonly description?: string;
}

/** One line. */
export interface TextField extends Common, InputHints {
  readonly kind: 'text';
  readonly maxLength: number;
  /** The value for a new buyer; a field with a default cannot be cleared. */
  readonly defaultValue?: string;
  /** A third of the form's width instead of half. */
  readonly narrow?: true;
}

/** A host name with an optional port. */
export interface HostField extends Common, InputHints {
  readonly kind: 'host';
}

/** One of a few values; `defaultValue` is that of a new buyer. */
export interface ChoiceField extends Common {
  readonly kind: 'choice';
  readonly required?: never;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly defaultValue: string;
}

/** The address of a call, with macros behind its server. Secrets that are sent there are bound to its server alone. */
export interface AddressField extends Common, InputHints {
  readonly kind: 'address';
  readonly maxLength: number;
}

/** Text of several lines, shown as code. */
export interface AreaField extends Common, InputHints {
  readonly kind: 'area';
  readonly maxLength: number;
  /** What applies while nothing is stored; the form shows it. */
  readonly preset?: string;
}

/** Names with a value each, such as headers. */
export interface PairsField extends Common {
  readonly kind: 'pairs';
  readonly required?: never;
  readonly maxEntries: number;
}

/** What the partner's answers mean: rules in the order in which they are asked. */
export interface RulesField extends Common {
  readonly kind: 'rules';
  readonly required?: never;
  readonly description?: string;
  readonly maxEntries: number;
  /** What applies while nothing is stored; the form shows it. */
  readonly preset?: readonly AnswerRule[];
}

/** Stored encrypted, masked in answers, never in the audit trail. */
export interface SecretField extends Common, InputHints {
  readonly kind: 'secret';
  /**
   * The fields that say where the secret is sent: its server and its account. Whoever changes one of them enters the
   * secret again. Empty where the operator configures the server.
   */
  readonly sentTo: readonly string[];
  /** Matches what can be one; `patternText` is the error for anything else. */
  readonly pattern?: RegExp;
  readonly patternText?: string;
}

/** A mapping from the partner's fields to ours. */
export interface MappingField extends Common {
  readonly kind: 'mapping';
  readonly required?: never;
  /** Matches the partner's field names; `keysText` is the error for any other name. */
  readonly keys: RegExp;
  readonly keysText: string;
  readonly example: string;
}

/** The id of an e-mail template. */
export interface TemplateField extends Common {
  readonly kind: 'template';
  /** The form's option for no template. */
  readonly noneText: string;
  /** Shown for prepaid buyers only, because others get no replacements. */
  readonly prepayOnly?: true;
}

export type ChannelField =
  | TextField
  | ChoiceField
  | HostField
  | AddressField
  | AreaField
  | PairsField
  | RulesField
  | SecretField
  | MappingField
  | TemplateField;
