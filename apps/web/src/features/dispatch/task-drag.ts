import type { DragEvent } from 'react';

const TYPE = 'application/x-milepost-task';

/** A task that is dragged onto a driver. What else is dragged over the board, such as a file, is not taken. */
export const draggedTask = {
  start: (event: DragEvent, id: string): void => {
    event.dataTransfer.setData(TYPE, id);
    event.dataTransfer.effectAllowed = 'link';
  },
  isIn: (event: DragEvent): boolean => event.dataTransfer.types.includes(TYPE),
  of: (event: DragEvent): string => event.dataTransfer.getData(TYPE),
};
