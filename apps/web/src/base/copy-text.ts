import { toast } from './toasts/toast.ts';

/** Copies a text and says so. Without clipboard permission, or on a plain http address, the text is shown instead. */
export async function copyText(text: string, done: string, shown = text): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(done);
  } catch {
    toast(shown, 'info');
  }
}
