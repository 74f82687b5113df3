import { dateFormat } from './locale.ts';

/** The wall clock where the reader is: `14:02:11`, 24 hours in every locale. */
export const formatClock = (ms: number): string =>
  dateFormat({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }).format(ms);
