/// <reference lib="webworker" />
import { type Shown, shownFor } from './push.ts';
import { isPageRequest } from './requests.ts';

declare const self: ServiceWorkerGlobalScope;
/**
 * Inserted by the build (build/service-worker.ts): all files of the app's shell, and a version that changes with them.
 */
declare const __SHELL__: { readonly version: string; readonly files: readonly string[] };

const { version, files } = __SHELL__;
const CACHE = `milepost-shell-${version}`;
const PAGE = '/index.html';

/**
 * The app's offline shell. It caches all files of one build and serves them from there, so the app starts without a
 * network and never mixes two builds. Data, live messages and map tiles aren't cached here.
 */
self.addEventListener('install', event => {
  event.waitUntil(caches.open(CACHE).then(cache => Promise.all(files.map(file => keep(cache, file)))));
});

/** The names of these files contain a hash of their content. */
const HASHED = /^\/assets\//;

/** A new build shares most files with the one before it, which the browser need not request again. */
async function keep(cache: Cache, file: string): Promise<void> {
  const kept = HASHED.test(file) ? await caches.match(file) : undefined;
  if (kept) await cache.put(file, kept);
  else await cache.add(new Request(file, { cache: HASHED.test(file) ? 'default' : 'no-cache' }));
}

self.addEventListener('activate', event => {
  event.waitUntil(
    caches
      .keys()
      .then(names => Promise.all(names.filter(name => name !== CACHE).map(name => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', event => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (isPageRequest(request.mode, url.pathname)) event.respondWith(fromShell(PAGE, request));
  else if (files.includes(url.pathname)) event.respondWith(fromShell(url.pathname, request));
});

async function fromShell(file: string, request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  return (await cache.match(file)) ?? fetch(request);
}

/** The page requests the switch to the waiting build after the user has chosen "Reload". */
self.addEventListener('message', event => {
  if (event.data === 'skip-waiting') void self.skipWaiting();
});

/** Shows a pushed alert, whether or not a page is open. */
self.addEventListener('push', event => {
  const { options, title } = shownFor(event.data?.text() ?? null);
  event.waitUntil(self.registration.showNotification(title, options));
});

/** Opens the alert in an open page of the app, or in a new one. */
self.addEventListener('notificationclick', event => {
  const { path } = event.notification.data as Shown['options']['data'];
  event.notification.close();
  event.waitUntil(openPath(path));
});

async function openPath(path: string): Promise<void> {
  const [page] = await self.clients.matchAll({ type: 'window' });
  if (!page) return void (await self.clients.openWindow(path));
  await page.navigate(path);
  // Rejects in browsers that allow focusing a page only right after the click.
  await page.focus().catch(() => {});
}
