/// <reference lib="webworker" />
import { type Shown, shownFor } from './push.ts';
import { isPageRequest } from './requests.ts';

declare const self: ServiceWorkerGlobalScope;
/** Put in by the build (build/service-worker.ts): every file of the app's shell, and a name that changes with them. */
declare const __SHELL__: { readonly version: string; readonly files: readonly string[] };

const { version, files } = __SHELL__;
const CACHE = `milepost-shell-${version}`;
const PAGE = '/index.html';

/**
 * The offline app shell. It keeps the files of one build together and serves them from the cache, so the app starts
 * without a network and never mixes two builds. Data, live messages and map tiles are none of its business.
 */
self.addEventListener('install', event => {
  event.waitUntil(
    caches
      .open(CACHE)
      // The page comes from the server again; the files under it carry their content's hash in their names.
      .then(cache => cache.addAll(files.map(file => new Request(file, { cache: 'no-cache' })))),
  );
});

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

/** The page asks for the waiting build once the user has said "Reload". */
self.addEventListener('message', event => {
  if (event.data === 'skip-waiting') void self.skipWaiting();
});

/** An alert that the server pushed, whether or not a page is open. */
self.addEventListener('push', event => {
  const { options, title } = shownFor(event.data?.text() ?? null);
  event.waitUntil(self.registration.showNotification(title, options));
});

/** Opens the alert in a page of the app that is open, or in a new one. */
self.addEventListener('notificationclick', event => {
  const { path } = event.notification.data as Shown['options']['data'];
  event.notification.close();
  event.waitUntil(openPath(path));
});

async function openPath(path: string): Promise<void> {
  const [page] = await self.clients.matchAll({ type: 'window' });
  if (!page) return void (await self.clients.openWindow(path));
  await page.navigate(path);
  // Some browsers bring a page to the front only right after the click.
  await page.focus().catch(() => {});
}
