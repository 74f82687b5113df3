import { type ComponentPropsWithRef, type ReactNode, useEffect, useRef } from 'react';
import styles from './Checkbox.module.css';

interface Props extends Omit<ComponentPropsWithRef<'input'>, 'type' | 'ref'> {
  /** Partly checked: some of its items are selected. */
  readonly mixed?: boolean;
  /** The text beside the checkbox. Without it, set `aria-label`. */
  readonly children?: ReactNode;
}

/** The browser's own checkbox in the theme's colors. */
export function Checkbox({ mixed = false, children, className, ...rest }: Props) {
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (input.current) input.current.indeterminate = mixed;
  }, [mixed]);

  if (!children) return <input {...rest} ref={input} type="checkbox" className={styles.box} />;
  return (
    <label className={className ? `${styles.label} ${className}` : styles.label}>
      <input {...rest} ref={input} type="checkbox" className={styles.box} />
      <span>{children}</span>
    </label>
  );
}
