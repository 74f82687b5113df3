const SCRIPT = '/sw.js';
const UPDATE_CHECK_MS = 60 * 60_000;

/** The media types that browsers accept for a worker's script (HTML standard, "JavaScript MIME type"). */
const isJavaScript = (type: string | null): boolean => /^(text|application)\/(x-)?(java|ecma)script\b/.test(type ?? '');

/**
 * Registers the service worker from the script at the root. Resolves to null and logs the reason if the script is
 * missing or isn't served as JavaScript [R2.26].
 */
export async function registerServiceWorker(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator)) return null;
  try {
    const answer = await fetch(SCRIPT, { cache: 'no-cache' });
    const type = answer.headers.get('content-type');
    if (!answer.ok || !isJavaScript(type)) {
      console.error(`No service worker: ${SCRIPT} answers ${answer.status} as ${type ?? 'no type'}, not JavaScript.`);
      return null;
    }
    return await navigator.serviceWorker.register(SCRIPT, { scope: '/' });
  } catch (error) {
    // Without a network, a worker that was registered earlier keeps working.
    console.error('No service worker:', error);
    return null;
  }
}

/** Calls `found` whenever a new build has been downloaded and is waiting. Its argument switches to the new build. */
export function watchForUpdate(registration: ServiceWorkerRegistration, found: (changeOver: () => void) => void): void {
  const offer = (worker: ServiceWorker) =>
    found(() => {
      navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
      worker.postMessage('skip-waiting');
    });
  // A worker may be waiting already. The very first worker replaces nothing and isn't reported.
  if (registration.waiting && navigator.serviceWorker.controller) offer(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const worker = registration.installing;
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'installed' && navigator.serviceWorker.controller) offer(worker);
    });
  });
  setInterval(() => void registration.update().catch(() => {}), UPDATE_CHECK_MS);
}
