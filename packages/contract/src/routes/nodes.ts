import { z } from 'zod';
import { defineRoute } from '../route.ts';

export const nodeSchema = z
  .object({
    id: z.string(),
    /** Of its machine. */
    name: z.string(),
    version: z.string(),
    /** Where it listens, as it knows it. */
    address: z.string(),
    startedAt: z.iso.datetime(),
    /** When it last said that it runs. */
    seenAt: z.iso.datetime(),
    /** False: killed, or cut off from the database. */
    isRunning: z.boolean(),
    /** The one that answers. */
    isThis: z.boolean(),
    /** It does what one server does for all: recurring work, alert emails and the backup. */
    leads: z.boolean(),
    /** Vehicles that reported to it last. */
    vehicles: z.int(),
    /** Vehicles whose commands it sends, because their trackers are connected to it. */
    trackers: z.int(),
    /** Since when the live bus is away from it; null if it is not. */
    busAwaySince: z.iso.datetime().nullable(),
    /** By how much its clock is ahead of the database's. */
    clockAheadMs: z.int(),
  })
  .meta({ id: 'Node' });
export type Node = z.infer<typeof nodeSchema>;

export const listNodes = defineRoute({
  method: 'GET',
  path: '/api/v1/node',
  access: 'settings.read',
  summary:
    "List the installation's servers that run, and those lost in the last hour; none where there is only one (operator's account only)",
  tag: 'Settings',
  response: z.array(nodeSchema),
});
