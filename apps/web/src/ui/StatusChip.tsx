import type { ReactNode } from 'react';
import styles from './StatusChip.module.css';
import { StatusGlyph } from './StatusGlyph.tsx';
import type { ShapeName } from './status-shapes.ts';

interface Props {
  readonly shape: ShapeName;
  readonly course?: number | null;
  /** The status in words, and since when. */
  readonly children: ReactNode;
}

/** A chip with the status's shape and its words. */
export function StatusChip({ shape, course, children }: Props) {
  return (
    <span className={styles.chip} data-shape={shape}>
      <StatusGlyph shape={shape} size={12} course={course ?? null} />
      {children}
    </span>
  );
}
