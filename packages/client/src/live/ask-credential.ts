import { MESSAGING, type MessagingCredential } from '@milepost/contract';
import { ProblemError } from '../http/errors.ts';

export type GetCredential = (signal: AbortSignal) => Promise<MessagingCredential | null>;

export type CredentialAnswer =
  | { readonly kind: 'given'; readonly credential: MessagingCredential }
  /** Nobody is signed in. */
  | { readonly kind: 'none' }
  | { readonly kind: 'failed'; readonly cause: unknown };

/**
 * Asks once, for at most the connect timeout. Calls back exactly once, or never after the returned function is called.
 */
export function askCredential(getCredential: GetCredential, onAnswer: (answer: CredentialAnswer) => void): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let over = false;
  const answer = (given: CredentialAnswer) => {
    if (over) return;
    over = true;
    clearTimeout(timer);
    onAnswer(given);
  };
  const timer = setTimeout(() => {
    answer({ kind: 'failed', cause: new Error('No credential in time') });
    controller.abort();
  }, MESSAGING.connectTimeoutMs);

  Promise.resolve(signal)
    .then(getCredential)
    .then(
      credential => answer(credential ? { kind: 'given', credential } : { kind: 'none' }),
      (cause: unknown) => {
        const isSignedOut = cause instanceof ProblemError && cause.status === 401;
        answer(isSignedOut ? { kind: 'none' } : { kind: 'failed', cause });
      },
    );

  return () => {
    over = true;
    clearTimeout(timer);
    controller.abort();
  };
}
