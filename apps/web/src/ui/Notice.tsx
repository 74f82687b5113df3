import { IconAlertCircle, IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ComponentPropsWithRef } from 'react';
import styles from './Notice.module.css';

const ICONS = {
  info: IconInfoCircle,
  ok: IconCircleCheck,
  warning: IconAlertTriangle,
  critical: IconAlertCircle,
} as const;

interface Props extends ComponentPropsWithRef<'div'> {
  readonly tone?: keyof typeof ICONS;
}

/** An important sentence with an icon and color that match its importance. */
export function Notice({ tone = 'info', className, children, ...rest }: Props) {
  const Icon = ICONS[tone];
  return (
    <div {...rest} className={className ? `${styles.notice} ${className}` : styles.notice} data-tone={tone}>
      <Icon size={18} stroke={1.75} aria-hidden />
      <div>{children}</div>
    </div>
  );
}
