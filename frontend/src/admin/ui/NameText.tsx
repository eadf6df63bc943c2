import { Text, type TextProps } from '@mantine/core';
import classes from './NameText.module.css';

/** Shorter texts fit every column. */
const SHORT = 14;
const LONGEST_DOMAIN = 20;
const END = 9;

/** In widths of a digit, a little more than needed. */
const widthOf = (text: string) =>
  Array.from(text, (character) => {
    if (/[mw@A-Z]/.test(character)) return 1.45;
    return /[fijlrt.,:]/.test(character) ? 0.6 : 1;
  }).reduce((sum, width) => sum + width, 0);

/** Where the part begins that stays visible: the domain of an address, or what tells similar names apart. */
function endOf(text: string): number {
  if (text.length <= SHORT) return text.length;
  const at = text.lastIndexOf('@');
  return at >= 0 && text.length - at <= LONGEST_DOMAIN ? at : text.length - END;
}

interface Props extends TextProps {
  readonly text: string;
}

/** A name or address in one line. If its column is narrower, its middle is cut, and the tooltip shows it whole. */
export function NameText({ text, ...props }: Props) {
  const end = endOf(text);
  return (
    <Text component="span" className={classes.name} title={text} {...props}>
      {end < text.length && (
        <span className={classes.start} style={{ maxWidth: `calc(100% - ${widthOf(text.slice(end))}ch)` }}>
          {text.slice(0, end)}
        </span>
      )}
      {end < text.length ? text.slice(end) : text}
    </Text>
  );
}
