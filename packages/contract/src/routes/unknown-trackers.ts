import { z } from 'zod';
import { idSchema } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { TRACKER_PROTOCOLS } from '../trackers.ts';
import { framePartSchema } from './frames.ts';

const TAG = 'Vehicles';
export const REFUSAL_CAUSES = ['protocol', 'address'] as const;
export type RefusalCause = (typeof REFUSAL_CAUSES)[number];

export const listUnknownTrackers = defineRoute({
  method: 'GET',
  path: '/api/v1/unknown_tracker',
  access: 'trackers.unknown.read',
  summary: "List trackers that report here and belong to no vehicle (operator's account only)",
  tag: TAG,
  response: z.array(
    z.object({
      imei: z.string(),
      protocol: z.enum(TRACKER_PROTOCOLS),
      firstSeenAt: z.iso.datetime(),
      lastSeenAt: z.iso.datetime(),
      connections: z.int(),
      remoteAddress: z.string().nullable(),
    }),
  ),
});

const unknownFrameSchema = z.object({
  id: z.string(),
  protocol: z.enum(TRACKER_PROTOCOLS),
  /** The tracker's own ID; null if it has not sent one. */
  imei: z.string().nullable(),
  remoteAddress: z.string().nullable(),
  receivedAt: z.iso.datetime(),
  /** The decoder's reason, and the byte offset. */
  code: z.string(),
  at: z.int(),
  /** The first bytes, in hexadecimal. */
  frame: z.string(),
  /** Length of the whole frame in bytes. */
  length: z.int(),
});

export const listUnknownFrames = defineRoute({
  method: 'GET',
  path: '/api/v1/unknown_frame',
  access: 'trackers.unknown.read',
  summary: "List frames of the last seven days that could not be read (operator's account only)",
  tag: TAG,
  response: z.array(unknownFrameSchema),
});

export const readUnknownFrame = defineRoute({
  method: 'GET',
  path: '/api/v1/unknown_frame/{id}',
  access: 'trackers.unknown.read',
  summary: "Read one of them, as far as its protocol explains it (operator's account only)",
  tag: TAG,
  params: z.object({ id: idSchema }),
  response: unknownFrameSchema.extend({ parts: z.array(framePartSchema) }),
  problems: ['not-found'],
});

export const listRefusedReports = defineRoute({
  method: 'GET',
  path: '/api/v1/refused_report',
  access: 'vehicles.read',
  summary:
    'List refused reports: those for vehicles you can see that came over another protocol or from another address than theirs',
  tag: TAG,
  response: z.array(
    z.object({
      deviceId: z.string(),
      protocol: z.enum(TRACKER_PROTOCOLS),
      /** Why the report was refused: its protocol, or an address that the vehicle does not allow. */
      cause: z.enum(REFUSAL_CAUSES),
      remoteAddress: z.string().nullable(),
      firstSeenAt: z.iso.datetime(),
      lastSeenAt: z.iso.datetime(),
      times: z.int(),
    }),
  ),
});

export const listRefusedFrames = defineRoute({
  method: 'GET',
  path: '/api/v1/device/{id}/refused_frame',
  access: 'vehicles.read',
  summary: 'Read the last refused reports for a vehicle, byte by byte, newest first; kept for seven days',
  tag: TAG,
  params: z.object({ id: idSchema }),
  response: z.array(
    z.object({
      receivedAt: z.iso.datetime(),
      protocol: z.enum(TRACKER_PROTOCOLS),
      cause: z.enum(REFUSAL_CAUSES),
      remoteAddress: z.string().nullable(),
      /** The first bytes, in hexadecimal. */
      bytes: z.string(),
      /** Length of the whole frame in bytes. */
      length: z.int(),
      parts: z.array(framePartSchema),
    }),
  ),
  problems: ['not-found'],
});
