import type { MessagingCredential } from '@milepost/contract';
import type { LiveBatch } from '../position-store.ts';
import type { FromWorker, MessagingPhase, ToWorker } from './protocol.ts';

export interface MessagingListener {
  phase(phase: MessagingPhase): void;
  subscribed(): void;
  /** Called at most once per animation frame and never while the tab is hidden. */
  batch(batch: LiveBatch): void;
}

/** The page's end of the live connection: sends commands to the worker and handles its messages frame by frame. */
export class Messaging {
  readonly #getCredential: () => Promise<MessagingCredential | null>;
  readonly #listener: MessagingListener;
  #worker: Worker | null = null;

  constructor(getCredential: () => Promise<MessagingCredential | null>, listener: MessagingListener) {
    this.#getCredential = getCredential;
    this.#listener = listener;
  }

  connect(): void {
    if (!this.#worker) {
      this.#worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'messaging' });
      this.#worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#onMessage(data);
    }
    this.#tell({ kind: 'connect', origin: location.origin });
  }

  disconnect(): void {
    this.#tell({ kind: 'disconnect' });
  }

  wake(): void {
    this.#tell({ kind: 'wake' });
  }

  subscribe(imeis: readonly string[]): void {
    if (imeis.length > 0) this.#tell({ kind: 'subscribe', imeis });
  }

  unsubscribe(imeis: readonly string[]): void {
    if (imeis.length > 0) this.#tell({ kind: 'unsubscribe', imeis });
  }

  unsubscribeAll(): void {
    this.#tell({ kind: 'unsubscribe-all' });
  }

  #tell(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }

  #onMessage(message: FromWorker): void {
    switch (message.kind) {
      case 'phase':
        this.#listener.phase(message.phase);
        break;
      case 'subscribed':
        this.#listener.subscribed();
        break;
      case 'credential-wanted':
        this.#getCredential().then(
          credential => this.#tell({ kind: 'credential', credential }),
          () => this.#tell({ kind: 'credential', credential: undefined }),
        );
        break;
      case 'batch':
        requestAnimationFrame(() => {
          this.#listener.batch(message.batch);
          this.#tell({ kind: 'ready' });
        });
    }
  }
}
