import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** No connection, no session, or removed by a release. */
export class CodeNotLoaded extends Error {
  override readonly name = 'CodeNotLoaded';
}

/** `lazy` for named exports. Browsers remember failed modules, so only a reload can load them. */
export function lazyComponent<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch (cause) {
      throw new CodeNotLoaded('Part of the app could not be loaded', { cause });
    }
  });
}
