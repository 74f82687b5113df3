import { useEffect, useRef } from 'react';
import type { Address } from './address.ts';
import type { Player } from './player.ts';

/** Time after the clock stops until the address is updated. */
const WRITE_AFTER_MS = 400;

/**
 * Writes time and speed into the address when the clock stops, and takes them from an address that came from elsewhere.
 */
export function useAddress(player: Player, address: Address, onChange: (change: Partial<Address>) => void): void {
  const change = useRef(onChange);
  change.current = onChange;
  const written = useRef(address.atMs);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isFirst = true;
    const write = (): void => {
      const { isPlaying, speed } = player.state;
      if (isFirst || isPlaying) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        written.current = Math.floor(player.atMs / 1000) * 1000;
        change.current({ atMs: written.current, speed });
      }, WRITE_AFTER_MS);
    };
    const ends = [player.onTime(write), player.subscribe(write)];
    isFirst = false;
    return () => {
      clearTimeout(timer);
      for (const end of ends) end();
    };
  }, [player]);
  useEffect(() => {
    if (address.atMs === written.current || address.atMs === null) return;
    written.current = address.atMs;
    player.seek(address.atMs);
  }, [player, address.atMs]);
}
