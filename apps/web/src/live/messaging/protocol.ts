import type { MessagingCredential } from '@milepost/contract';
import type { LiveBatch } from '../position-store.ts';

/** Live messaging in the words of the specification [R4.12]. */
export type MessagingPhase = 'idle' | 'connecting' | 'connected' | 'signed-out';

/** What the page tells the worker that holds the live connection. */
export type ToWorker =
  | { readonly kind: 'connect'; readonly origin: string }
  | { readonly kind: 'disconnect' }
  /** The network or the page is back. */
  | { readonly kind: 'wake' }
  | { readonly kind: 'subscribe'; readonly imeis: readonly string[] }
  | { readonly kind: 'unsubscribe'; readonly imeis: readonly string[] }
  | { readonly kind: 'unsubscribe-all' }
  /** Answers `credential-wanted`. Null: signed out; undefined: couldn't be fetched. */
  | { readonly kind: 'credential'; readonly credential: MessagingCredential | null | undefined }
  /** The last batch is on the screen; the next may come. */
  | { readonly kind: 'ready' };

/** What the worker tells the page. */
export type FromWorker =
  | { readonly kind: 'phase'; readonly phase: MessagingPhase }
  | { readonly kind: 'credential-wanted' }
  /** The broker has confirmed the subscriptions: a snapshot read from now on leaves no hole. */
  | { readonly kind: 'subscribed' }
  | { readonly kind: 'batch'; readonly batch: LiveBatch };
