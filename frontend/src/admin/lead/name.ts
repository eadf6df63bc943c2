type Named = Readonly<Record<'anrede' | 'vorname' | 'nachname', string>>;

/** `Herr Max Muster` */
export const nameOf = (lead: Named): string => `${lead.anrede} ${lead.vorname} ${lead.nachname}`;
