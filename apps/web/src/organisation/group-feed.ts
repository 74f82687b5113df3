/** How often folders and departments are fetched [R4.09, R9.03]. */
export const REFRESH_MS = 60_000;

/** Until the first response, failed reads are retried after this time instead of a minute. */
export const RETRY_MS = 5000;

/** A response with its ETag, or null if nothing has changed since the last one. */
export type IfChanged<T> = { readonly answer: T; readonly etag: string | null } | null;

export interface FeedParts<T> {
  readonly read: (etag: string | null) => Promise<IfChanged<T>>;
  readonly changed: (answer: T) => void;
  /** Called with the error when reading fails, and with null when it works again. */
  readonly failed: (error: unknown) => void;
}

/**
 * Keeps one list in line with the server: reads it at the start, every minute with a conditional request, and right
 * after each write [R7.32]. Only one read runs at a time; requests during a read cause one more afterwards. Nothing is
 * delivered after `stop`.
 */
export class GroupFeed<T> {
  readonly #parts: FeedParts<T>;
  #timer: ReturnType<typeof setInterval> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #etag: string | null = null;
  /** Incremented by each start. Responses to earlier runs are ignored. */
  #run = 0;
  #reading: Promise<void> | null = null;
  #again = false;

  constructor(parts: FeedParts<T>) {
    this.#parts = parts;
  }

  start(): void {
    this.stop();
    this.#timer = setInterval(() => void this.refresh(), REFRESH_MS);
    void this.refresh();
  }

  stop(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#retry);
    this.#timer = undefined;
    this.#etag = null;
    this.#run++;
    this.#reading = null;
    this.#again = false;
  }

  /** Resolves once a list requested after this call has been read. Errors go to `failed` and aren't thrown. */
  refresh(): Promise<void> {
    if (this.#timer === undefined) return Promise.resolve();
    if (this.#reading) this.#again = true;
    else this.#reading = this.#read(this.#run);
    return this.#reading;
  }

  async #read(run: number): Promise<void> {
    do {
      this.#again = false;
      try {
        const news = await this.#parts.read(this.#etag);
        if (run !== this.#run) return;
        this.#parts.failed(null);
        if (!news) continue;
        this.#etag = news.etag;
        this.#parts.changed(news.answer);
      } catch (error) {
        if (run !== this.#run) return;
        this.#parts.failed(error);
        if (this.#etag === null) this.#retry = setTimeout(() => void this.refresh(), RETRY_MS);
      }
    } while (this.#again);
    this.#reading = null;
  }
}
