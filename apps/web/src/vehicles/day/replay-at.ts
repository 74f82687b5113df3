import { endOfDay, startOfDay } from '../../format/time.ts';
import { paths } from '../../paths.ts';

/** URL of a vehicle's replay at a moment, with the whole day around it. */
export const replayAt = (vehicleId: string, atMs: number): string =>
  paths.replay({ vehicles: [vehicleId], fromMs: startOfDay(atMs), toMs: endOfDay(atMs), atMs });
