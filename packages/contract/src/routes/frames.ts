import { z } from 'zod';
import { idSchema, numeric } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { TRACKER_PROTOCOLS } from '../trackers.ts';

const TAG = 'Trackers';

/** How a frame arrived. */
export const TRANSPORTS = ['tcp', 'udp', 'http', 'mqtt'] as const;
export type Transport = (typeof TRANSPORTS)[number];

const pieceSchema = z.object({
  /** Byte offsets; `to` is exclusive. */
  from: z.int(),
  to: z.int(),
  name: z.string(),
  value: z.string(),
  unit: z.string().optional(),
});

/** A part of a frame and its meaning; its subparts cover it completely. Names are the decoders', in English. */
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
    /** Only the message received at exactly this time. */
    receivedAt: z.iso.datetime().optional(),
    limit: numeric(z.int().min(1).max(50)).default(10),
  }),
  response: z.array(
    z.object({
      receivedAt: z.iso.datetime(),
      protocol: z.enum(TRACKER_PROTOCOLS),
      over: z.enum(TRANSPORTS),
      /** Length of the whole frame in bytes; only the start of a very long frame is stored. */
      length: z.int(),
      /** Hexadecimal. */
      bytes: z.string(),
      /** The times of the fixes in it. */
      fixes: z.array(z.iso.datetime()),
      /** The parts cover the whole frame without gaps or overlaps. */
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
