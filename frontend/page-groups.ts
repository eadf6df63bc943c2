import { build, type InlineConfig } from 'vite';

/** Each page is loaded separately; `AdminApp` is the frame of the admin's screens. */
const PAGE = /\/frontend\/src\/(?:.*\/)?(\w+(?:Page|App))\.tsx$/;
/** Runs while the app is loading. */
const FIRST = /\/frontend\/src\/prefetch\.ts$/;
/** Modules of so many admin pages are loaded with the first of them. */
const MANY = 3;
/** Shared at all is enough for a module that loads faster than a request takes. */
const SMALL_CHARACTERS = 2500;
/** By frequency of use. A screen loads what it shares with later ones, and with earlier ones, but not what only those need. */
const DAILY = ['DashboardPage', 'ClaimsPage', 'StatisticsPage'] as const;
type Share = (typeof DAILY)[number] | 'many-screens';

interface Need {
  readonly entry: boolean;
  readonly list: boolean;
  /** Also without a session, at once or later. */
  readonly open: boolean;
  /** The first screen with which admin pages share it; the frame counts as part of the dashboard. */
  readonly share: Share | undefined;
}

/** The first match gets a module with its imports, so wider needs come first. */
const GROUPS: readonly (readonly [name: string, takes: (need: Need) => boolean])[] = [
  ['base', ({ entry }) => entry],
  // One file, because nearly every page needs most of it.
  ['all-pages', ({ open, share }) => open && share === DAILY[0]],
  ...byShare('list', ({ list }) => list),
  ...byShare('open', ({ open }) => open),
  ...byShare('admin', () => true),
];

function byShare(whose: string, isTheirs: (need: Need) => boolean) {
  return [...DAILY, 'many-screens' as const].map(
    (share) =>
      [
        `${whose}-${share.replace('Page', '').toLowerCase()}`,
        (need: Need) => need.share === share && isTheirs(need),
      ] as const,
  );
}

export interface Group {
  readonly name: string;
  readonly test: RegExp | ((id: string) => boolean);
  readonly priority: number;
}

export interface PageGroups {
  /** Put into one file. */
  readonly groups: readonly Group[];
  /** Admin chunks have a path prefix of their own, where the CDN requires signed cookies. */
  readonly isAdminChunk: (moduleIds: readonly string[]) => boolean;
}

interface Chunk {
  readonly fileName: string;
  readonly facadeModuleId: string | null;
  readonly isEntry: boolean;
  readonly moduleIds: readonly string[];
  readonly modules: Readonly<Record<string, { readonly renderedLength: number }>>;
  readonly imports: readonly string[];
  readonly dynamicImports: readonly string[];
}

/**
 * Builds once without groups, because only a finished build knows which modules a page uses. Without groups, a screen would
 * load forty files, mostly smaller than their requests.
 */
export async function pageGroups(config: InlineConfig): Promise<PageGroups> {
  const chunks = await chunksOf(config);
  const modulesOf = (from: readonly Chunk[], later = false) =>
    new Set(closure(from, chunks, later).flatMap(({ moduleIds }) => moduleIds));
  const entry = [...chunks.values()].filter(({ isEntry }) => isEntry);
  const atOnce = modulesOf(entry);
  const open = modulesOf(entry, true);
  const pages = [...chunks.values()].flatMap((chunk) => {
    const id = chunk.facadeModuleId ?? '';
    const name = pageOf(id);
    return name === undefined ? [] : [{ name, isScreen: isAdmin(id), modules: modulesOf([chunk]) }];
  });
  const lengths = new Map(
    [...chunks.values()].flatMap(({ modules }) =>
      Object.entries(modules).map(([id, { renderedLength }]) => [id, renderedLength] as const),
    ),
  );
  const isSmall = (id: string) => (lengths.get(id) ?? 0) <= SMALL_CHARACTERS;
  const alone = new Set(
    [...chunks.values()].flatMap(({ facadeModuleId, moduleIds }) =>
      facadeModuleId === null ? [] : moduleIds,
    ),
  );
  const needOf = (id: string): Need => {
    const needing = pages.filter(({ modules }) => modules.has(id));
    const needs = (page: string) => needing.some(({ name }) => name === page);
    const users = needing.filter(({ isScreen }) => isScreen).length;
    const isShared = users >= MANY || (isSmall(id) && !alone.has(id));
    const isOpen = open.has(id);
    const share = needs('AdminApp') ? DAILY[0] : DAILY.find((page) => isShared && needs(page));
    // What buyers load too must not be pulled into an admin's group.
    const isByMany = users >= (isSmall(id) ? 2 : MANY) || (isOpen && users > 0);
    return {
      entry: atOnce.has(id),
      list: needs('LeadListPage'),
      open: isOpen,
      share: share ?? (isByMany ? 'many-screens' : undefined),
    };
  };
  return {
    groups: [
      { name: 'prefetch', test: FIRST, priority: GROUPS.length },
      ...GROUPS.map(([name, takes], index) => ({
        name,
        test: (id: string) => [undefined, 'AdminApp'].includes(pageOf(id)) && takes(needOf(id)),
        priority: GROUPS.length - 1 - index,
      })),
    ],
    isAdminChunk: (moduleIds) =>
      moduleIds.some(isAdmin) ||
      (moduleIds.length > 0 && !moduleIds.some((id) => open.has(id) || isRuntime(id))),
  };
}

function pageOf(moduleId: string): string | undefined {
  return PAGE.exec(moduleId)?.[1];
}

async function chunksOf(config: InlineConfig): Promise<ReadonlyMap<string, Chunk>> {
  const built = await build({
    ...config,
    configFile: false,
    logLevel: 'error',
    build: { ...config.build, write: false, minify: false },
  });
  if (!('output' in built)) throw new Error('The build has not exactly one output');
  return new Map(built.output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])));
}

/** @param later also dynamic imports, except those of the admin app */
function closure(from: readonly Chunk[], chunks: ReadonlyMap<string, Chunk>, later: boolean): Chunk[] {
  const all = new Set(from);
  // The set grows during the loop.
  for (const { imports, dynamicImports } of all)
    for (const file of later ? [...imports, ...dynamicImports] : imports) {
      const chunk = chunks.get(file);
      if (chunk !== undefined && !(later && chunk.moduleIds.some(isAdmin))) all.add(chunk);
    }
  return [...all];
}

/** Of the bundler, for both parts. */
function isRuntime(id: string): boolean {
  return id.startsWith('\0rolldown/');
}

function isAdmin(id: string): boolean {
  return id.includes('/src/admin/');
}
