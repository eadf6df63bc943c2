import { de } from './messages';

export function notLoaded() {
  return <p role="alert">{de.notLoaded}</p>;
}
