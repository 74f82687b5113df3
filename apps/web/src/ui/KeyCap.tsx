import styles from './KeyCap.module.css';

const NAMES: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
};

const isApple = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent);

const withModifier = (name: string): string =>
  name.startsWith('mod+') ? `${isApple ? '⌘' : 'Ctrl'} ${name.slice(4).replace('shift+', '⇧ ').toUpperCase()}` : name;

/** A key with the name that is printed on it. */
export function KeyCap({ name }: { readonly name: string }) {
  return <kbd className={styles.key}>{NAMES[name] ?? withModifier(name)}</kbd>;
}
