import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from './IconButton.module.css';

interface Props extends ComponentPropsWithRef<'button'> {
  /** Read by screen readers, and shown on hover and focus. */
  readonly label: string;
  readonly bordered?: boolean;
  readonly tooltip?: 'bottom' | 'top' | 'right' | 'left' | 'bottom-end' | 'none';
  readonly children: ReactNode;
}

/** A button that shows only an icon. It always has a label. */
export function IconButton({ label, bordered = false, tooltip = 'bottom', className, children, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      className={className ? `${styles.button} ${className}` : styles.button}
      data-bordered={bordered || undefined}
      aria-label={label}
      data-tooltip={tooltip === 'none' ? undefined : label}
      data-tooltip-side={tooltip}
    >
      {children}
    </button>
  );
}
