import { z } from 'zod';
import { idSchema } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { TRACKER_PROTOCOLS } from '../trackers.ts';

const TAG = 'Trackers';

/** How a frame came. */
export const TRANSPORTS = ['tcp', 'udp', 'http', 'mqtt'] as const;
export type Transport = (typeof TRANSPORTS)[number];

const pieceSchema = z.object({
  /** Offsets in bytes; `to` is behind the last one. */
  from: z.int(),
  to: z.int(),
  name: z.string(),
  value: z.string(),
  unit: z.string().optional(),
});

/** A piece of a frame and what it says; those inside of it cover it. Names are the decoders', in English. */
export const framePartSchema = pieceSchema
  .extend({ parts: z.array(pieceSchema.readonly()).readonly().optional() })
  .readonly()
  .meta({ id: 'FramePart' });

export const listFrames = defineRoute({
  method: 'GET',
  path: '/api/v1/device/{id}/frame',
  access: 'vehicles.read',
  summary: 'Read the latest frames of a tracker, byte by byte, newest first; kept in memory since the server started',
  tag: TAG,
  params: z.object({ id: idSchema }),
  query: z.object({
    /** Only what was received at this very moment, as a message names it. */
    receivedAt: z.iso.datetime().optional(),
    limit: z.coerce.number().int().min(1).max(50).default(10),
  }),
  response: z.array(
    z.object({
      receivedAt: z.iso.datetime(),
      protocol: z.enum(TRACKER_PROTOCOLS),
      over: z.enum(TRANSPORTS),
      /** Bytes of the whole, of which a very long frame is kept only to a point. */
      length: z.int(),
      /** Hexadecimal. */
      bytes: z.string(),
      /** When the fixes in it are of. */
      fixes: z.array(z.iso.datetime()),
      /** Together they are all of it, without gap or overlap. */
      parts: z.array(framePartSchema),
    }),
  ),
  problems: ['not-found'],
});

export const listTrackerPorts = defineRoute({
  method: 'GET',
  path: '/api/v1/tracker_port',
  access: 'signed-in',
  summary:
    'Read the port on which this server listens for trackers of each protocol; protocols that are off are missing',
  tag: TAG,
  response: z.array(z.object({ protocol: z.enum(TRACKER_PROTOCOLS), port: z.int() })),
});
