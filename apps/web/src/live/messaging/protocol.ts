import type { MessagingCredential } from '@milepost/contract';
import type { LiveBatch } from '../position-store.ts';

/** Phases of live messaging, as the specification names them [R4.12]. */
export type MessagingPhase = 'idle' | 'connecting' | 'connected' | 'signed-out';

/** Messages from the page to the worker that has the live connection. */
export type ToWorker =
  | { readonly kind: 'connect'; readonly origin: string }
  | { readonly kind: 'disconnect' }
  /** The network is back or the tab is visible again. */
  | { readonly kind: 'wake' }
  | { readonly kind: 'subscribe'; readonly imeis: readonly string[] }
  | { readonly kind: 'unsubscribe'; readonly imeis: readonly string[] }
  | { readonly kind: 'unsubscribe-all' }
  /** The answer to `credential-wanted`. Null if signed out, undefined if the credential couldn't be read. */
  | { readonly kind: 'credential'; readonly credential: MessagingCredential | null | undefined }
  /** The page has drawn the last batch and can take the next. */
  | { readonly kind: 'ready' };

/** Messages from the worker to the page. */
export type FromWorker =
  | { readonly kind: 'phase'; readonly phase: MessagingPhase }
  | { readonly kind: 'credential-wanted' }
  /** The broker has confirmed the subscriptions. Positions read from now on leave no gap to the messages. */
  | { readonly kind: 'subscribed' }
  | { readonly kind: 'batch'; readonly batch: LiveBatch };
