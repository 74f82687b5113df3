import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from './Button.module.css';

interface Look {
  /** `primary` once on a screen at most; `danger` for what cannot be taken back; `text` for the way out. */
  readonly variant?: 'default' | 'primary' | 'danger' | 'text';
  /** 32 px, or 46 px in forms and sheets. */
  readonly size?: 'normal' | 'large';
  /** As wide as its container. */
  readonly wide?: boolean;
}

interface Props extends Look, ComponentPropsWithRef<'button'> {
  readonly icon?: ReactNode;
  /** Work is under way: the button keeps its name and takes no second press. */
  readonly busy?: boolean;
}

/** The classes of a button, for a link that looks like one. */
export function buttonLook({ variant = 'default', size = 'normal', wide = false }: Look = {}): string {
  return [styles.button, styles[variant], styles[size], wide && styles.wide].filter(Boolean).join(' ');
}

export function Button({ variant, size, wide, icon, busy = false, className, children, onClick, ...rest }: Props) {
  const look = buttonLook({ ...(variant && { variant }), ...(size && { size }), ...(wide && { wide }) });
  return (
    <button
      type="button"
      {...rest}
      className={className ? `${look} ${className}` : look}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      onClick={busy ? event => event.preventDefault() : onClick}
    >
      {icon}
      {children}
    </button>
  );
}
