import type { Plugin } from 'vite';

/** The part of the build's module graph that this plugin reads. */
interface Graph {
  getModuleInfo(id: string): {
    readonly importedIds: readonly string[];
    readonly dynamicallyImportedIds: readonly string[];
  } | null;
}

/**
 * Finds which modules a visitor without a session needs: those reachable from the entry without passing through
 * `src/admin`. Every chunk without such a module belongs to the admin part of the site, which is served from one
 * path prefix so that the CDN can demand its signed cookies there.
 */
export class PublicModules {
  readonly #publicIds = new Set<string>();

  readonly plugin: Plugin = {
    name: 'public-modules',
    apply: 'build',
    buildEnd: {
      handler: (() => {
        const publicIds = this.#publicIds;
        return function collect(this: Graph & { getModuleIds(): Iterable<string> }) {
          publicIds.clear();
          const queue = [...this.getModuleIds()].filter((id) =>
            /\/frontend\/(index\.html|src\/main\.tsx)$/.test(id),
          );
          for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
            if (publicIds.has(id) || isAdmin(id)) continue;
            publicIds.add(id);
            const info = this.getModuleInfo(id);
            if (info) queue.push(...info.importedIds, ...info.dynamicallyImportedIds);
          }
        };
      })(),
    },
  };

  /**
   * True if the chunk made of these modules is of use to admins only. A library's parts that login could reach
   * through the library's index count as open; they hold nothing of ours.
   */
  isAdminChunk(moduleIds: readonly string[]): boolean {
    return (
      moduleIds.some(isAdmin) ||
      (moduleIds.length > 0 && !moduleIds.some((id) => this.#publicIds.has(id) || isRuntime(id)))
    );
  }
}

/** What the bundler itself adds; chunks of both parts import it. */
function isRuntime(id: string): boolean {
  return id.startsWith('\0rolldown/');
}

function isAdmin(id: string): boolean {
  return id.includes('/src/admin/');
}
