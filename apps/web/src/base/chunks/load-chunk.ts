import { onlineManager } from '@tanstack/react-query';
import { type ComponentType, lazy } from 'react';

/** How long to wait before each retry, in milliseconds. Without a connection, the retry also waits until it is back. */
const WAITS_MS = [500, 1500, 4000];

/**
 * The browsers' error messages when a file of the app can't be loaded: no network, or a newer version has replaced it.
 */
const CHUNK_MISSING = /dynamically imported module|importing a module script|Unable to preload/i;

export const isChunkMissing = (error: unknown): boolean => error instanceof Error && CHUNK_MISSING.test(error.message);

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

function connected(): Promise<void> {
  if (onlineManager.isOnline()) return Promise.resolve();
  return new Promise(resolve => {
    const stop = onlineManager.subscribe(online => {
      if (!online) return;
      stop();
      resolve();
    });
  });
}

/**
 * Loads a file of the app, retrying when the connection fails. Rejects if it still can't be loaded: a newer version has
 * replaced it, or the browser doesn't request a failed module again.
 */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  for (const waitMs of WAITS_MS) {
    try {
      return await load();
    } catch (error) {
      if (!isChunkMissing(error)) throw error;
      await pause(waitMs);
      await connected();
    }
  }
  return load();
}

/** A component in a separate chunk. Render it inside a `Part`. */
export const lazyChunk = <P extends object>(load: () => Promise<ComponentType<P>>) =>
  lazy(async () => ({ default: await loadChunk(load) }));
