import { Anchor, type AnchorProps } from '@mantine/core';
import type { MouseEventHandler, ReactNode } from 'react';
import { Link } from 'wouter';

interface Props extends AnchorProps {
  readonly to: string;
  readonly title?: string;
  readonly onClick?: MouseEventHandler | undefined;
  readonly children: ReactNode;
  readonly 'aria-label'?: string;
}

/** A link to another screen. */
export function TextLink(props: Props) {
  return <Anchor component={Link} {...props} />;
}
