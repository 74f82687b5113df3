import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Plate } from '../../../ui/Plate.tsx';
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx';
import { setCurrentVehicle } from '../state/dashboard-state.ts';
import styles from './StackList.module.css';
import type { MarkerStack } from './use-pick.ts';

/** Vehicles at the same place, listed to choose from. */
export function StackList({ stack, onClose }: { readonly stack: MarkerStack; readonly onClose: () => void }) {
  const { t } = useTranslation(['dashboardMap', 'vehicle']);
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another stack means another list.
  useEffect(() => list.current?.querySelector('button')?.focus(), [stack]);
  return (
    <div
      ref={list}
      className={styles.stack}
      style={{ left: stack.x, top: stack.y }}
      role="dialog"
      aria-label={t('here', { count: stack.vehicles.length })}
      onKeyDown={event => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      {stack.vehicles.map(({ id, label, shape, course, status }) => (
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
