import { flushSync } from 'react-dom';
import { setCurrentVehicle } from '../state/dashboard-state.ts';

/** The focus goes back to the vehicle's row, or to the list where the row is not drawn. */
export function closeCard(imei: string): void {
  const focusRow = (): boolean => {
    const row = document.querySelector<HTMLElement>(`#vehicle-list [data-row="${imei}"]`);
    row?.focus();
    return row !== null;
  };
  // The current row is drawn wherever it is; where the card stands in the list's place there is none yet.
  const isThere = focusRow();
  flushSync(() => setCurrentVehicle(null));
  if (!isThere && !focusRow()) document.getElementById('vehicle-list')?.focus();
}
