import { flushSync } from 'react-dom';
import { setCurrentVehicle } from '../state/dashboard-state.ts';

/** Focus returns to the vehicle's row, or to the list if the row is not drawn. */
export function closeCard(imei: string): void {
  const focusRow = (): boolean => {
    const row = document.querySelector<HTMLElement>(`#vehicle-list [data-row="${imei}"]`);
    row?.focus();
    return row !== null;
  };
  // The current row is always drawn, wherever it is. Where the card replaces the list, there is no row yet.
  const isThere = focusRow();
  flushSync(() => setCurrentVehicle(null));
  if (!isThere && !focusRow()) document.getElementById('vehicle-list')?.focus();
}
