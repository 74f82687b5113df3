import { z } from 'zod';
import { TRACKER_PROTOCOLS } from './trackers.ts';

/**
 * Evidence against a vehicle's tracker: a report over another `protocol` than the vehicle's or from an `address` that
 * is not allowed, both refused; another `connection` whose reports disagree; or contradictions in the tracker's own
 * reports.
 */
export const CONFLICT_CAUSES = ['protocol', 'address', 'connection', 'itself'] as const;
export type ConflictCause = (typeof CONFLICT_CAUSES)[number];

export const conflictSchema = z
  .object({
    cause: z.enum(CONFLICT_CAUSES),
    /** The report's protocol, and the address it came from. */
    protocol: z.enum(TRACKER_PROTOCOLS),
    address: z.string().nullable(),
    /** The vehicle's protocol at that time. */
    own: z.enum(TRACKER_PROTOCOLS).nullable(),
    /**
     * For two reports that can't both be true: km/h of the earlier and the later one, and the distance between them;
     * null otherwise.
     */
    speeds: z.tuple([z.number().nullable(), z.number().nullable()]).nullable(),
    distanceKm: z.number().nullable(),
  })
  .meta({ id: 'Conflict' });
export type Conflict = z.infer<typeof conflictSchema>;
