/** What a key makes of a text that is being typed; `close` for Esc. */
export type Typed = { readonly text: string } | 'close';

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing'>;

/** Null for keys that are not typing: those of the browser, and Tab. */
export function typedInto(text: string, { key, ctrlKey, metaKey, altKey, isComposing }: Key): Typed | null {
  if (ctrlKey || metaKey || altKey || isComposing) return null;
  if (key === 'Escape') return 'close';
  if (key === 'Backspace') return { text: [...text].slice(0, -1).join('') };
  if (key === 'Enter' || key.startsWith('Arrow')) return { text };
  return [...key].length === 1 ? { text: text + key } : null;
}
