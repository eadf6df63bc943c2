/** A partner's data about a lead. */
import { type Item, number, text } from '#test/simulation/referee/facts';

/**
 * @param mapping partner fields by our names
 * @returns why a TrackBox request does not match the lead; undefined if it does
 */
export function wrongAtTrackbox(
  body: Item,
  lead: Item,
  buyer: Item,
  mapping: Readonly<Record<string, string>>,
): string | undefined {
  const wanted: Record<string, string> = {
    MPC_10: text(lead, 'lead_id'),
    ai: text(buyer, 'trackbox_ai'),
    gi: text(buyer, 'trackbox_gi'),
    lg: 'DE',
    firstname: text(lead, 'vorname'),
    email: text(lead, 'email'),
  };
  const phone = text(lead, 'telefon');
  if (phone.startsWith('+')) wanted.phone = phone.slice(1);
  for (const [theirs, ours] of Object.entries(mapping))
    wanted[theirs] = ours === 'anlagebetrag' ? String(number(lead, ours) / 100) : text(lead, ours);
  // Unknown fields of the person are omitted.
  for (const [name, value] of Object.entries(wanted))
    if (value === '' ? name in body : body[name] !== value)
      return `${name} is ${String(body[name])}, and should be ${value === '' ? 'left out' : value}`;
  // It may have been edited since.
  return text(body, 'lastname') === '' ? 'lastname is missing' : undefined;
}
