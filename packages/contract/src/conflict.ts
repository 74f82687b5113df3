import { z } from 'zod';
import { TRACKER_PROTOCOLS } from './trackers.ts';

/**
 * What speaks against a vehicle's tracker: a report over another `protocol` than its own or from an `address` that it is
 * not bound to, which are refused; another `connection` that says something else; or the tracker's reports themselves.
 */
export const CONFLICT_CAUSES = ['protocol', 'address', 'connection', 'itself'] as const;
export type ConflictCause = (typeof CONFLICT_CAUSES)[number];

export const conflictSchema = z
  .object({
    cause: z.enum(CONFLICT_CAUSES),
    /** Over which protocol and from where it came. */
    protocol: z.enum(TRACKER_PROTOCOLS),
    address: z.string().nullable(),
    /** The vehicle's own protocol then. */
    own: z.enum(TRACKER_PROTOCOLS).nullable(),
    /** Of two reports that can't both be true, km/h of the earlier and of the later, and how far apart; null: none was taken. */
    speeds: z.tuple([z.number().nullable(), z.number().nullable()]).nullable(),
    distanceKm: z.number().nullable(),
  })
  .meta({ id: 'Conflict' });
export type Conflict = z.infer<typeof conflictSchema>;
