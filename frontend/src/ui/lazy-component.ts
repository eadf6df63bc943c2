import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** `lazy` for modules without a default export. */
export function lazyComponent<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await load() }));
}
