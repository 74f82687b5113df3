import { endOfDay, startOfDay } from '../../format/time.ts';
import { paths } from '../../paths.ts';

/** The replay of a vehicle at a moment, with the whole day around it. */
export const replayAt = (vehicleId: string, atMs: number): string =>
  paths.replay({ vehicles: [vehicleId], fromMs: startOfDay(atMs), toMs: endOfDay(atMs), atMs });
