import { IconX } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Insets } from '../../../../map/camera.ts';
import { IconButton } from '../../../../ui/IconButton.tsx';
import { useLayout } from '../../use-layout.ts';
import styles from './ToolPanel.module.css';

interface Props {
  readonly title: string;
  readonly insets: Insets;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The panel of a map tool, beside the tools; on a phone, across the full width. */
export function ToolPanel({ title, insets, onClose, children }: Props) {
  const { t } = useTranslation('dashboardMap');
  const phone = useLayout() === 'phone';
  const id = useId();
  return (
    <section
      className={styles.panel}
      style={phone ? { top: insets.top, insetInline: 12 } : { top: 12, insetInlineStart: 56 }}
      aria-labelledby={id}
    >
      <header className={styles.head}>
        <h2 id={id}>{title}</h2>
        <IconButton label={t('close')} tooltip="bottom-end" onClick={onClose}>
          <IconX size={16} stroke={1.75} aria-hidden />
        </IconButton>
      </header>
      {children}
    </section>
  );
}
