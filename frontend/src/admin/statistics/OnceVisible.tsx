import { useIntersection } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';

/** Parts just outside the viewport count as well. */
const NEAR = '100px';

interface Props {
  /** The placeholder's height until then. */
  readonly before: ReactNode;
  readonly children: ReactNode;
}

/** Renders expensive content once it comes into view, and keeps it from then on. */
export function OnceVisible({ before, children }: Props) {
  const { ref, entry } = useIntersection<HTMLDivElement>({ rootMargin: NEAR });
  const [seen, setSeen] = useState(false);
  if (entry?.isIntersecting === true && !seen) setSeen(true);
  return <div ref={ref}>{seen ? children : before}</div>;
}
