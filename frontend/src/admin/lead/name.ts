interface Named {
  readonly anrede: string;
  readonly vorname: string;
  readonly nachname: string;
}

/** `Herr Max Muster` */
export const nameOf = (lead: Named): string => `${lead.anrede} ${lead.vorname} ${lead.nachname}`;
