import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from './Button.module.css';

interface Look {
  /** `primary` at most once per screen; `danger` for what can't be undone; `text` for cancel and the like. */
  readonly variant?: 'default' | 'primary' | 'danger' | 'text';
  /** 32 px, or 46 px in forms and sheets. */
  readonly size?: 'normal' | 'large';
  /** As wide as its container. */
  readonly wide?: boolean;
}

interface Props extends Look, ComponentPropsWithRef<'button'> {
  readonly icon?: ReactNode;
  /** The action is running: the button keeps its label and ignores further presses. */
  readonly busy?: boolean;
}

/** The classes of a button, for links that look like one. */
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
