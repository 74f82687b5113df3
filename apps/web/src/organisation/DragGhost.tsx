import { IconGripVertical } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Plate } from '../ui/Plate.tsx';
import styles from './DragGhost.module.css';
import { useDrag } from './drag.ts';

/** Follows the pointer while dragging and says what dropping would do: "4160 Move to Reefers". */
export function DragGhost() {
  const { t } = useTranslation('organisation');
  const dragged = useDrag(state => state.dragged);
  const target = useDrag(state => state.target);
  const ghost = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!dragged) return;
    const follow = ({ clientX, clientY }: globalThis.DragEvent): void => {
      if (!ghost.current) return;
      ghost.current.style.translate = `${clientX + 12}px ${clientY + 10}px`;
      ghost.current.hidden = false;
    };
    document.addEventListener('dragover', follow);
    return () => document.removeEventListener('dragover', follow);
  }, [dragged]);

  if (!dragged) return null;
  const { kind, what, ids, name } = dragged;
  return (
    <div ref={ghost} className={styles.ghost} hidden aria-hidden="true">
      <IconGripVertical size={15} stroke={1.75} />
      {what === 'members' && kind === 'folder' && ids.length === 1 ? (
        <Plate>{name}</Plate>
      ) : (
        <b>{ids.length === 1 ? name : t(`${kind}.dragged`, { count: ids.length })}</b>
      )}
      <span>{target === null ? t(`${kind}.moving`) : t(`${kind}.movingTo`, { target })}</span>
    </div>
  );
}
