import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Plate } from '../../../ui/Plate.tsx';
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx';
import { setCurrentVehicle } from '../state/dashboard-state.ts';
import styles from './PileList.module.css';
import type { Pile } from './use-pick.ts';

/** Vehicles that stand on one spot, fanned out to choose from. */
export function PileList({ pile, onClose }: { readonly pile: Pile; readonly onClose: () => void }) {
  const { t } = useTranslation(['dashboardMap', 'vehicle']);
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another pile is another list.
  useEffect(() => list.current?.querySelector('button')?.focus(), [pile]);
  return (
    <div
      ref={list}
      className={styles.pile}
      style={{ left: pile.x, top: pile.y }}
      role="dialog"
      aria-label={t('here', { count: pile.vehicles.length })}
      onKeyDown={event => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      {pile.vehicles.map(({ id, label, shape, course, status }) => (
        <button
          key={id}
          type="button"
          aria-label={`${label}, ${t(`vehicle:status.${status}`).toLowerCase()}`}
          onClick={() => {
            onClose();
            setCurrentVehicle(id);
          }}
        >
          <StatusGlyph shape={shape} course={course} />
          <Plate>{label}</Plate>
        </button>
      ))}
    </div>
  );
}
