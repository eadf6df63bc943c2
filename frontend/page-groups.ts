import { build, type InlineConfig } from 'vite';

/** The pages are the modules of these names, each loaded by itself; `AdminApp` is the frame of the admin's screens. */
const PAGE = /\/frontend\/src\/(?:.*\/)?(\w+(?:Page|App))\.tsx$/;
/** The pages that are no screens of the admin. */
const WITHOUT_SESSION = new Set([
  'LoginPage',
  'InvitationPage',
  'PasskeySetupPage',
  'LeadListPage',
  'SpecificationPage',
  'StatusPage',
]);
/** Before all others, with what it needs: it is run while the app is on its way. */
const FIRST = /\/frontend\/src\/prefetch\.ts$/;
/** What so many pages of the admin need is loaded with the first of them. */
const MANY = 3;
/** What two of them need as well where it is so small that a request for it takes longer than to load it. */
const SMALL_CHARACTERS = 1600;

/** Who needs a module. */
interface Need {
  readonly entry: boolean;
  readonly login: boolean;
  readonly list: boolean;
  /** The frame or many of the admin's screens. */
  readonly admin: boolean;
  /** Also without a session, at once or later. */
  readonly open: boolean;
}

/** The first that takes a module gets it, with what it imports: whatever is needed more widely stands before. */
const GROUPS: readonly (readonly [name: string, takes: (need: Need) => boolean])[] = [
  ['base', ({ entry }) => entry],
  ['login-list', ({ login, list }) => login && list],
  ['login-admin', ({ login, admin }) => login && admin],
  ['list-admin', ({ list, admin }) => list && admin],
  ['open-admin', ({ open, admin }) => open && admin],
  ['screens', ({ admin }) => admin],
];

export interface Group {
  readonly name: string;
  readonly test: RegExp | ((id: string) => boolean);
  readonly priority: number;
}

export interface PageGroups {
  /** What is put into one file. */
  readonly groups: readonly Group[];
  /**
   * Whether a chunk made of these modules is of use to admins only. Those are served from one path prefix, so that the
   * CDN can demand its signed cookies there.
   */
  readonly isAdminChunk: (moduleIds: readonly string[]) => boolean;
}

/** Of a chunk, as the bundler reports it. */
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
 * Builds once without groups to see which pages need which modules; only the finished build knows, because what a
 * library's index offers and nobody uses is dropped there. The bundler makes a file for each set of pages that share
 * something, which are forty for a screen, most of them smaller than the request for them. Here a module goes with all
 * others that the same of these need: the entry, the login, the buyer's page, the frame of the admin's screens, many
 * of the screens.
 */
export async function pageGroups(config: InlineConfig): Promise<PageGroups> {
  const chunks = await chunksOf(config);
  const modulesOf = (from: readonly Chunk[], later = false) =>
    new Set(closure(from, chunks, later).flatMap(({ moduleIds }) => moduleIds));
  const entry = [...chunks.values()].filter(({ isEntry }) => isEntry);
  const atOnce = modulesOf(entry);
  const open = modulesOf(entry, true);
  const pages = new Map(
    [...chunks.values()].flatMap((chunk) => {
      const page = pageOf(chunk.facadeModuleId ?? '');
      return page === undefined ? [] : [[page, modulesOf([chunk])] as const];
    }),
  );
  const lengths = new Map(
    [...chunks.values()].flatMap(({ modules }) =>
      Object.entries(modules).map(([id, { renderedLength }]) => [id, renderedLength] as const),
    ),
  );
  const isSmall = (id: string) => (lengths.get(id) ?? 0) <= SMALL_CHARACTERS;
  const needOf = (id: string): Need => {
    const needs = (page: string) => pages.get(page)?.has(id) === true;
    const [login, list] = [needs('LoginPage'), needs('LeadListPage')];
    const screens = [...pages.keys()].filter((page) => needs(page) && !WITHOUT_SESSION.has(page)).length;
    return {
      entry: atOnce.has(id),
      login,
      list,
      admin: needs('AdminApp') || screens >= (isSmall(id) ? 2 : MANY),
      open: open.has(id),
    };
  };
  return {
    groups: [
      { name: 'prefetch', test: FIRST, priority: GROUPS.length },
      ...GROUPS.map(([name, takes], index) => ({
        name,
        test: (id: string) => pageOf(id) === undefined && takes(needOf(id)),
        priority: GROUPS.length - 1 - index,
      })),
    ],
    isAdminChunk: (moduleIds) =>
      moduleIds.some(isAdmin) ||
      (moduleIds.length > 0 && !moduleIds.some((id) => open.has(id) || isRuntime(id))),
  };
}

/** @returns undefined for what is no page */
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

/** These chunks and all that they import at once; `later`: or afterwards, but for what belongs to admins. */
function closure(from: readonly Chunk[], chunks: ReadonlyMap<string, Chunk>, later: boolean): Chunk[] {
  const all = new Set(from);
  // The set grows while it is walked.
  for (const { imports, dynamicImports } of all)
    for (const file of later ? [...imports, ...dynamicImports] : imports) {
      const chunk = chunks.get(file);
      if (chunk !== undefined && !(later && chunk.moduleIds.some(isAdmin))) all.add(chunk);
    }
  return [...all];
}

/** What the bundler itself adds; chunks of both parts import it. */
function isRuntime(id: string): boolean {
  return id.startsWith('\0rolldown/');
}

function isAdmin(id: string): boolean {
  return id.includes('/src/admin/');
}
