import { Text, type TextProps } from '@mantine/core';
import classes from './NameText.module.css';

/** Shorter texts fit every column. */
const SHORT = 14;
const END = 9;

/** Of the interface's font, in widths of a digit. Others are about as wide as a digit. */
const WIDTHS = [
  [/[ijlI.:, ]/, 0.46],
  [/[frt1_-]/, 0.7],
  [/[mwMW@]/, 1.45],
  [/[A-Z]/, 1.15],
] as const;
const widthOf = (text: string) =>
  Array.from(text, (character) => WIDTHS.find(([which]) => which.test(character))?.[1] ?? 0.96).reduce(
    (sum, width) => sum + width,
    0.5,
  );

/** Where the part begins that stays visible: the domain of an address, or what tells similar names apart. */
function endOf(text: string): number {
  if (text.length <= SHORT) return text.length;
  const at = text.lastIndexOf('@');
  return at >= 0 ? at : text.length - END;
}

interface Props extends TextProps {
  readonly text: string;
}

/** A name or address in one line. If it does not fit, its middle is cut, and the tooltip shows it whole. */
export function NameText({ text, ...props }: Props) {
  const end = endOf(text);
  return (
    <Text component="span" className={classes.name} title={text} {...props}>
      {end < text.length && (
        <span
          className={classes.start}
          style={{ maxWidth: `max(3ch, 100% - ${widthOf(text.slice(end))}ch)` }}
        >
          {text.slice(0, end)}
        </span>
      )}
      {end < text.length ? text.slice(end) : text}
    </Text>
  );
}
