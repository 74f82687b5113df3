import { useCallback, useEffect, useRef, useState } from 'react';
import type { Address } from './address.ts';
import { OwnTimes } from './own-times.ts';
import type { Player } from './player.ts';

/** Time after the clock stops until the address is updated. */
const WRITE_AFTER_MS = 400;

type Change = (change: Partial<Address>) => void;

/**
 * Writes time and speed into the address when the clock stops, and takes them from an address that came from elsewhere.
 * Returns how the page changes its address without moving its own clock.
 */
export function useAddress(player: Player, address: Address, onChange: Change): Change {
  const given = useRef(onChange);
  given.current = onChange;
  const { atMs } = address;
  const [own] = useState(() => new OwnTimes(atMs));
  const shown = useRef(atMs);
  const change = useCallback<Change>(
    next => given.current(next.atMs == null ? next : { ...next, atMs: own.write(next.atMs) }),
    [own],
  );
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isFirst = true;
    const write = (): void => {
      const { isPlaying } = player.state;
      if (isFirst || isPlaying) return;
      clearTimeout(timer);
      timer = setTimeout(() => change({ atMs: player.atMs, speed: player.state.speed }), WRITE_AFTER_MS);
    };
    const ends = [player.onTime(write), player.subscribe(write)];
    isFirst = false;
    return () => {
      clearTimeout(timer);
      for (const end of ends) end();
    };
  }, [player, change]);
  useEffect(() => {
    if (atMs === null || atMs === shown.current) return;
    shown.current = atMs;
    if (!own.take(atMs)) player.seek(atMs);
  }, [player, own, atMs]);
  return change;
}
