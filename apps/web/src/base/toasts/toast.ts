import { create } from 'zustand';

export interface Toast {
  readonly message: string;
  readonly tone: 'ok' | 'info' | 'error';
  /** A toast with something to do, and an error, stays until it is put away. */
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** How long a toast stays [R9.08]. */
export const TOAST_MS = 5000;

/** Toasts are queued; the first is shown. */
export const useToasts = create<{ readonly queue: readonly Toast[] }>(() => ({ queue: [] }));

export function toast(message: string, tone: Toast['tone'] = 'ok', action?: Toast['action']): void {
  useToasts.setState(({ queue }) => ({ queue: [...queue, { message, tone, ...(action ? { action } : {}) }] }));
}

export function dismissToast(gone: Toast): void {
  useToasts.setState(({ queue }) => ({ queue: queue.filter(one => one !== gone) }));
}

/** One user's messages, and the actions in them, are not for the next user. */
export const forgetToasts = (): void => useToasts.setState({ queue: [] });

export const staysOpen = ({ tone, action }: Toast): boolean => tone === 'error' || action !== undefined;
