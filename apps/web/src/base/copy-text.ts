import { toast } from './toasts/toast.ts';

/**
 * Copies a text and says so. Where the browser refuses, `shown` is said instead: the text itself, unless it is on the
 * screen anyway.
 */
export async function copyText(text: string, done: string, shown = text): Promise<void> {
  const isCopied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (isCopied || copySelected(text)) toast(done);
  else toast(shown, 'info');
}

/** A page at a plain http address has no clipboard of its own, but may copy what is selected. */
function copySelected(text: string): boolean {
  const before = document.activeElement;
  const field = Object.assign(document.createElement('textarea'), { value: text, readOnly: true });
  field.style.position = 'fixed';
  field.style.opacity = '0';
  // Nothing outside an open dialog can be selected.
  (before?.closest('dialog') ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return isCopied;
}
