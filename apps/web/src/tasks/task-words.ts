import { isOver, isUnderWay, type Task } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { formatMoment, formatTime, startOfDay } from '../format/time.ts';
import type { ChipTone } from '../ui/Chip.tsx';
import { isLate } from './task-times.ts';

/** The color of a task's state; the text beside it says the same. */
export function toneOf(task: Task, nowMs: number): ChipTone {
  if (isLate(task, nowMs)) return 'critical';
  if (task.state === 'done') return 'ok';
  if (task.state === 'declined' || task.state === 'failed' || task.state === 'abandoned') return 'warning';
  return isUnderWay(task.state) ? 'info' : 'neutral';
}

/** Texts about tasks for several pages: `Late, on the way`, `16:30 to 17:30`. */
export function useTaskWords() {
  const { t } = useTranslation('tasks');
  return {
    state: (task: Task, nowMs: number): string => {
      const state = t(`state.${task.state}`);
      return isLate(task, nowMs) && !isOver(task.state) ? t('late', { state }) : state;
    },
    window: ({ dueFrom, dueTo }: Pick<Task, 'dueFrom' | 'dueTo'>, nowMs: number): string => {
      const [from, to] = [dueFrom, dueTo].map(iso => (iso === null ? null : Date.parse(iso))) as [
        number | null,
        number | null,
      ];
      if (from !== null && to !== null) {
        const end = startOfDay(from) === startOfDay(to) ? formatTime(to) : formatMoment(to, nowMs);
        return t('window', { from: formatMoment(from, nowMs), to: end });
      }
      if (to !== null) return t('windowTo', { to: formatMoment(to, nowMs) });
      return from === null ? t('noWindow') : t('windowFrom', { from: formatMoment(from, nowMs) });
    },
  };
}
