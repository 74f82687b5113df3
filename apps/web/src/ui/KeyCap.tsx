import styles from './KeyCap.module.css';

const NAMES: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
};

/** A key as it is printed on the keyboard. */
export function KeyCap({ name }: { readonly name: string }) {
  return <kbd className={styles.key}>{NAMES[name] ?? name}</kbd>;
}
