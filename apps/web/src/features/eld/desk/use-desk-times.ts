import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { boardQuery } from '../../../changes/keep-board.ts';
import { homeDate, homeMoment, homeTime, homeZone, logDate } from '../../../logbook/home-time.ts';
import { carrierQuery } from '../queries.ts';

interface DeskTimes {
  /** `Wed, Nov 18 14:02`; of what concerns a driver's log, at their home terminal. */
  readonly moment: (at: string | number, driverId?: string) => string;
  /** `14:02` */
  readonly time: (at: string | number, driverId?: string) => string;
  /** `Wed, Nov 18` */
  readonly day: (at: string | number) => string;
}

const msOf = (at: string | number): number => (typeof at === 'number' ? at : Date.parse(at));

/**
 * Times as the desk shows them all: at the carrier's first terminal, whose zone the page names. Those of a driver with a
 * terminal in another zone have its name.
 */
export function useDeskTimes(): DeskTimes {
  const carrier = useQuery(carrierQuery).data;
  const rows = useQuery(boardQuery).data?.rows;
  return useMemo(() => {
    const here = carrier?.terminals[0]?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
    const zones = new Map(rows?.map(({ driverId, timeZone }) => [driverId, timeZone]));
    const inZone = (write: typeof homeTime) => (at: string | number, driverId?: string) => {
      const [ms, zone] = [msOf(at), (driverId !== undefined && zones.get(driverId)) || here];
      const words = write(ms, zone);
      return homeTime(ms, zone) === homeTime(ms, here) ? words : `${words} ${homeZone(ms, zone)}`;
    };
    return {
      moment: inZone(homeMoment),
      time: inZone(homeTime),
      day: at => logDate(homeDate(msOf(at), here)),
    };
  }, [carrier, rows]);
}
