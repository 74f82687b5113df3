import { changeNumber, noteTold } from '../base/change-number.ts';
import { useSockets } from '../live/sockets/socket-store.ts';
import { followSession as connectSockets, sockets } from '../live/sockets/sockets.ts';
import { onVehicleEvent } from '../live/sockets/vehicle-events.ts';
import { applyChanges } from './apply-changes.ts';

const AGAIN_MS = 2000;

/** Follows changes, then connects, so that no change after the first connection is missed. */
export function followSession(): void {
  followChanges();
  connectSockets();
}

/**
 * Follows the account's changes over the socket. After each connection, the page requests the changes since the last
 * number it knows. Changes that arrive before the response are applied at once, but their number counts only after the
 * response.
 */
function followChanges(): void {
  let asking: object | null = null;
  let toldMeanwhile = 0;

  onVehicleEvent('changes', ({ number, changes }) => {
    void applyChanges(changes);
    if (asking) toldMeanwhile = number;
    else noteTold(number);
  });

  const ask = async (): Promise<void> => {
    const question = {};
    asking = question;
    toldMeanwhile = 0;
    try {
      const { number, changes } = await sockets.ask('/eld', 'follow_changes', { since: changeNumber() });
      // The socket has reconnected and a newer request is running.
      if (asking !== question) return;
      asking = null;
      noteTold(Math.max(number, toldMeanwhile));
      void applyChanges(changes);
    } catch {
      setTimeout(() => {
        if (asking === question && isUp()) void ask();
      }, AGAIN_MS);
    }
  };
  const isUp = (all = useSockets.getState()): boolean => all['/eld'].state === 'connected';
  useSockets.subscribe((now, before) => {
    if (isUp(now) && !isUp(before)) void ask();
  });
}
