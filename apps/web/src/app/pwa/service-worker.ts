const SCRIPT = '/sw.js';
const UPDATE_CHECK_MS = 60 * 60_000;

/** The media types that a browser accepts for a worker (HTML standard, "JavaScript MIME type"). */
const isJavaScript = (type: string | null): boolean => /^(text|application)\/(x-)?(java|ecma)script\b/.test(type ?? '');

/**
 * Registers the service worker from the root-level script; a script that is missing or is not served as JavaScript is
 * not registered, and the console says why [R2.26]. Resolves to null then.
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
    // Without a network the worker that is there already goes on working.
    console.error('No service worker:', error);
    return null;
  }
}

/** Calls back with a way to change over whenever a new build has been fetched and waits. */
export function watchForUpdate(registration: ServiceWorkerRegistration, found: (changeOver: () => void) => void): void {
  const offer = (worker: ServiceWorker) =>
    found(() => {
      navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
      worker.postMessage('skip-waiting');
    });
  // Waiting while another build runs; the very first worker has nothing to replace.
  if (registration.waiting && navigator.serviceWorker.controller) offer(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const worker = registration.installing;
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'installed' && navigator.serviceWorker.controller) offer(worker);
    });
  });
  setInterval(() => void registration.update().catch(() => {}), UPDATE_CHECK_MS);
}
