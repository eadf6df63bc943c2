import { useIntersection } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';

/** What is about to come into sight counts as well. */
const NEAR = '100px';

interface Props {
  /** In its place until then, as high as it is. */
  readonly before: ReactNode;
  readonly children: ReactNode;
}

/** Draws what is heavy when its place has come into sight, and keeps it from then on. */
export function OnceInSight({ before, children }: Props) {
  const { ref, entry } = useIntersection<HTMLDivElement>({ rootMargin: NEAR });
  const [seen, setSeen] = useState(false);
  if (entry?.isIntersecting === true && !seen) setSeen(true);
  return <div ref={ref}>{seen ? children : before}</div>;
}
