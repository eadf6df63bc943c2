import { Checkbox } from '@mantine/core';

export interface SelectBoxProps {
  readonly name: string;
  readonly selected: boolean;
  /** @param range with the rows between, as lists do with Shift */
  readonly select: (on: boolean, range: boolean) => void;
}

/** The checkbox before the first cell of a row that can be selected. */
export function SelectBox({ name, selected, select }: SelectBoxProps) {
  return (
    <Checkbox
      size="xs"
      aria-label={`Select ${name}`}
      checked={selected}
      onChange={({ currentTarget, nativeEvent }) =>
        select(currentTarget.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
      }
    />
  );
}
