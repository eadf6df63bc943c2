/**
 * Schemas, rows, checks, masks and form fields of a channel derive from its descriptor; its adapter is in
 * `functions/channels`. Plain data without the validation library, because browsers load it.
 */
import type { AnswerRule } from '#shared/rules/answer-rules';

export interface ChannelDescriptor {
  /** Stored with deliveries, and part of paths and queue messages: it must not change. */
  readonly id: string;
  readonly flag: string;
  /** In lists and as the title of the badge. */
  readonly label: string;
  readonly badge: string;
  readonly form: { readonly legend: string; readonly toggle: string };
  /** Completes "Required for …". */
  readonly requiredFor: string;
  /** The form can send a test lead with unsaved settings; the adapter has `tryOut`. */
  readonly console?: true;
  readonly fields: readonly ChannelField[];
}

interface Common {
  readonly name: string;
  readonly label: string;
  /** A buyer with the channel on needs the field. */
  readonly required?: true;
  /** The label with "is required" by default. */
  readonly requiredText?: string;
  /** Shown, sent and required only with one of these values of another choice. */
  readonly shownWhen?: { readonly name: string; readonly oneOf: readonly string[] };
  /** The switch of another channel that uses it too. */
  readonly alsoFor?: string;
  /** Neighbours with the same text are folded together. */
  readonly folded?: string;
}

interface InputHints {
  readonly autoComplete?: 'off' | 'new-password';
  readonly placeholder?: string;
  readonly description?: string;
}

export interface TextField extends Common, InputHints {
  readonly kind: 'text';
  readonly maxLength: number;
  /** A field with a default cannot be cleared. */
  readonly defaultValue?: string;
  /** A third of the form's width. */
  readonly narrow?: true;
}

export interface HostField extends Common, InputHints {
  readonly kind: 'host';
}

/** `defaultValue` applies to new buyers. */
export interface ChoiceField extends Common {
  readonly kind: 'choice';
  readonly required?: never;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly defaultValue: string;
}

/** Macros are allowed after the host name. Secrets are bound to the server. */
export interface AddressField extends Common, InputHints {
  readonly kind: 'address';
  readonly maxLength: number;
}

export interface AreaField extends Common, InputHints {
  readonly kind: 'area';
  readonly maxLength: number;
  /** Applies while nothing is stored; the form shows it. */
  readonly preset?: string;
}

export interface PairsField extends Common {
  readonly kind: 'pairs';
  readonly required?: never;
  readonly maxEntries: number;
}

export interface RulesField extends Common {
  readonly kind: 'rules';
  readonly required?: never;
  readonly description?: string;
  readonly maxEntries: number;
  readonly preset?: readonly AnswerRule[];
}

/** Stored encrypted, masked in answers, never in the audit trail. */
export interface SecretField extends Common, InputHints {
  readonly kind: 'secret';
  /**
   * Fields with the secret's server and account. Changing one requires entering the secret again. Empty if the operator
   * configures the server.
   */
  readonly sentTo: readonly string[];
  /** `patternText` is the error for other values. */
  readonly pattern?: RegExp;
  readonly patternText?: string;
}

export interface MappingField extends Common {
  readonly kind: 'mapping';
  readonly required?: never;
  /** `keysText` is the error for other names. */
  readonly keys: RegExp;
  readonly keysText: string;
  readonly example: string;
}

export interface TemplateField extends Common {
  readonly kind: 'template';
  readonly noneText: string;
  /** Postpay buyers get no replacements. */
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
