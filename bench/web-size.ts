import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const DIST = new URL('../apps/web/dist/', import.meta.url);
const ENTRY = 'index.html';
/** The pages where a visit may begin, and what routes.tsx loads for each before showing it. */
const FIRST_ROUTES: Readonly<Record<string, readonly string[]>> = {
  '/login': ['src/features/login/LoginPage.tsx', 'src/locales/en-US/login.json'],
  '/': [
    'src/app/shell/Shell.tsx',
    'src/app/shell/Wide.tsx',
    'src/features/dashboard/DashboardPage.tsx',
    'src/locales/en-US/dashboard.json',
  ],
  // On a phone, up to the status and its buttons; the clocks and what a driver opens come right after.
  '/eld': ['src/app/shell/Shell.tsx', 'src/features/eld-driver/DriverPage.tsx', 'src/locales/en-US/eld-driver.json'],
};
/** A page that loads when it is opened. */
const PAGE = /^src\/.*\/(\w+)Pages?\.tsx$/;
/** First route without the map; React and what every page needs are 130 of it. */
export const AIM_KB: Readonly<Record<string, number>> = { '/login': 154, '/': 178, '/eld': 149 };

interface Chunk {
  readonly file: string;
  readonly name?: string;
  readonly isDynamicEntry?: boolean;
  readonly imports?: readonly string[];
}
type Manifest = Readonly<Record<string, Chunk>>;

export interface PageSize {
  /** Gzipped JavaScript, with the map where the page has one. */
  readonly kb: number;
  readonly files: number;
  readonly hasZod: boolean;
}

export interface WebSize {
  /** All chunks of the app, by module or by a name of Vite's. */
  readonly chunks: readonly string[];
  readonly firstRouteChunks: Readonly<Record<string, readonly string[]>>;
  /** Gzipped kilobytes of JavaScript that are loaded before the page appears, without workers. */
  readonly firstRouteKb: Readonly<Record<string, number>>;
  /** Every page, by its name: what it loads with the entry, before any dialog is opened. */
  readonly pages: Readonly<Record<string, PageSize>>;
  readonly mapKb: number;
  readonly cssKb: number;
}

/**
 * Reads the built app's manifest: a page's files are its chunk, the entry, and everything that these import statically.
 */
export function measureWebSize(): WebSize {
  const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', DIST), 'utf8')) as Manifest;
  const files = (keys: readonly string[]) => new Set(keys.map(key => manifest[key]?.file ?? ''));

  const firstRouteChunks: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
    Object.entries(FIRST_ROUTES).map(([route, modules]) => {
      const keys = new Set([ENTRY, ...modules].flatMap(key => [...reach(manifest, key)]));
      return [route, [...keys]];
    }),
  );
  const isNamed = (name: string) => (key: string) => manifest[key]?.name === name;
  const pages = Object.keys(manifest)
    .filter(key => PAGE.test(key) && manifest[key]?.isDynamicEntry)
    .map((key): [string, PageSize] => {
      const keys = [...new Set([ENTRY, key].flatMap(one => [...reach(manifest, one)]))];
      const loaded = files(keys);
      return [PAGE.exec(key)?.[1] ?? key, { kb: sumKb(loaded), files: loaded.size, hasZod: keys.some(isNamed('zod')) }];
    });
  const firstRouteKb = Object.fromEntries(
    Object.entries(firstRouteChunks).map(([route, keys]) => [route, sumKb(files(keys))]),
  );
  const css = new Set(
    Object.values(manifest)
      .map(({ file }) => file)
      .filter(file => file.endsWith('.css')),
  );
  const entryCss = (manifest[ENTRY] as (Chunk & { css?: string[] }) | undefined)?.css ?? [];
  return {
    chunks: Object.keys(manifest),
    firstRouteChunks,
    firstRouteKb,
    pages: Object.fromEntries(pages),
    mapKb: sumKb(files(Object.keys(manifest).filter(isNamed('map')))),
    cssKb: sumKb(new Set([...css, ...entryCss])),
  };
}

function reach(manifest: Manifest, from: string, seen: Set<string> = new Set()): Set<string> {
  const chunk = manifest[from];
  if (!chunk) throw new Error(`The build has no ${from}: build the web app first`);
  if (seen.has(from)) return seen;
  seen.add(from);
  for (const key of chunk.imports ?? []) reach(manifest, key, seen);
  return seen;
}

function sumKb(files: Iterable<string>): number {
  let bytes = 0;
  for (const file of files) bytes += gzipSync(readFileSync(new URL(file, DIST)), { level: 9 }).length;
  return Math.round(bytes / 100) / 10;
}

export function printWebSize({ firstRouteKb, mapKb, cssKb }: WebSize): void {
  for (const [route, kb] of Object.entries(firstRouteKb)) {
    process.stdout.write(
      `JavaScript of ${route.padEnd(8)} ${kb.toFixed(1).padStart(7)} kB gzipped (aim ≤ ${AIM_KB[route]})\n`,
    );
  }
  process.stdout.write(`Map, loaded after it  ${mapKb.toFixed(1).padStart(7)} kB gzipped\n`);
  process.stdout.write(`Style sheets          ${cssKb.toFixed(1).padStart(7)} kB gzipped\n`);
}

if (import.meta.main) {
  const size = measureWebSize();
  printWebSize(size);
  for (const [page, { kb, files, hasZod }] of Object.entries(size.pages)) {
    process.stdout.write(
      `${page.padEnd(16)} ${kb.toFixed(1).padStart(6)} kB in ${files} files${hasZod ? ', with zod' : ''}\n`,
    );
  }
  process.stdout.write(`${JSON.stringify(size.firstRouteKb)}\n`);
}
