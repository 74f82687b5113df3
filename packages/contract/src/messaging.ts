import { z } from 'zod';
import { liveStateSchema } from './routes/vehicles.ts';

/** Messages of the MQTT broker [R7.33, R7.34]. */

/** The parts of an `address` given as distance and direction from a town, for display in other units and languages. */
export const nearTownSchema = z
  .object({
    /** `Whitestown, IN` */
    town: z.string(),
    distanceM: z.int(),
    /** Direction from the town, in degrees clockwise from north. */
    bearing: z.int(),
  })
  .meta({ id: 'NearTown' });
export type NearTown = z.infer<typeof nearTownSchema>;

/**
 * Position report, exactly the specified names [R3.03], then the optional additions. Units: speed km/h, mileage km,
 * fuelGage percent, temp °C, gsmStatus 0–31, altitude m, course degrees; reportDate and reportTime in UTC. A value the
 * tracker did not send is null.
 */
export const positionReportSchema = z
  .object({
    address: z.string().nullable(),
    deviceId: z.string(),
    deviceName: z.string(),
    eventType: z.string().nullable(),
    fuelGage: z.number().nullable(),
    /** `A` valid fix, `V` not. */
    gpsStatus: z.enum(['A', 'V']),
    gsmStatus: z.int().min(0).max(31).nullable(),
    /** 1 on, 0 off. */
    ignitionStatus: z.union([z.literal(0), z.literal(1)]).nullable(),
    imei: z.string(),
    lat: z.number(),
    lon: z.number(),
    mileage: z.number().nullable(),
    reportDate: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
    reportTime: z.string().regex(/^\d{2}:\d{2}:\d{2}$/),
    rfid: z.string().nullable(),
    speed: z.number(),
    temp: z.number().nullable(),
    course: z.number().nullable().optional(),
    altitude: z.number().nullable().optional(),
    hdop: z.number().nullable().optional(),
    satellites: z.int().nullable().optional(),
    receivedAt: z.iso.datetime().optional(),
    near: nearTownSchema.optional(),
    /** False if the tracker sent no speed; `speed` is 0 then. */
    speedKnown: z.literal(false).optional(),
    /** Stored by the tracker and sent after a newer report: history, not news. */
    late: z.boolean().optional(),
    /** The driver whose card `rfid` is; null if it is nobody's, or there is none. */
    driver: z.object({ id: z.string(), name: z.string() }).nullable().optional(),
  })
  .meta({ id: 'PositionReport' });
export type PositionReport = z.infer<typeof positionReportSchema>;

/**
 * What a native MQTT tracker can publish to its own `device/{imei}`: a position report without the fields that the
 * server adds.
 */
export const trackerPositionReportSchema = positionReportSchema
  .omit({
    address: true,
    deviceId: true,
    deviceName: true,
    imei: true,
    receivedAt: true,
    late: true,
    driver: true,
    near: true,
    speedKnown: true,
  })
  .partial()
  .required({ lat: true, lon: true, reportDate: true, reportTime: true })
  .extend({ action: z.literal('positionReport') });
export type TrackerPositionReport = z.infer<typeof trackerPositionReportSchema>;

/** Everything that the server publishes to `device/{imei}`. */
export const deviceMessageSchema = z.discriminatedUnion('action', [
  positionReportSchema.extend({ action: z.literal('positionReport') }),
  z.object({ action: z.literal('vehicleState'), imei: z.string(), live: liveStateSchema }),
]);
export type DeviceMessage = z.infer<typeof deviceMessageSchema>;
