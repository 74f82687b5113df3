import { create } from 'zustand';

export interface Toast {
  readonly message: string;
  readonly tone: 'ok' | 'info' | 'error';
  /** A toast with an action stays until the user closes it, as an error does. */
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** How long a toast stays, in milliseconds [R9.08]. */
export const TOAST_MS = 5000;

/** The queue of toasts. The first one is shown. */
export const useToasts = create<{ readonly queue: readonly Toast[] }>(() => ({ queue: [] }));

export function toast(message: string, tone: Toast['tone'] = 'ok', action?: Toast['action']): void {
  useToasts.setState(({ queue }) => ({ queue: [...queue, { message, tone, ...(action ? { action } : {}) }] }));
}

export function dismissToast(gone: Toast): void {
  useToasts.setState(({ queue }) => ({ queue: queue.filter(one => one !== gone) }));
}

/** Clears the toasts: the next user must not see the previous user's messages and actions. */
export const forgetToasts = (): void => useToasts.setState({ queue: [] });

export const staysOpen = ({ tone, action }: Toast): boolean => tone === 'error' || action !== undefined;
