/** The text after a key press, or `close` for Esc. */
export type Typed = { readonly text: string } | 'close';

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing'>;

/** The text after this key. Null for keys that don't type, such as browser shortcuts and Tab. */
export function typedInto(text: string, { key, ctrlKey, metaKey, altKey, isComposing }: Key): Typed | null {
  if (ctrlKey || metaKey || altKey || isComposing) return null;
  if (key === 'Escape') return 'close';
  if (key === 'Backspace') return { text: [...text].slice(0, -1).join('') };
  if (key === 'Enter' || key.startsWith('Arrow')) return { text };
  return [...key].length === 1 ? { text: text + key } : null;
}
