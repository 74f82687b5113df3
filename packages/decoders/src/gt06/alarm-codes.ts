import type { TrackerEvent } from '../events.ts';

/**
 * "Alarm language", byte 1, from the JM-VL03 protocol V1.1.2, the JM-VL02 / EG02 / HVT001 / X3 protocol and the VL110C
 * protocol V1.2.2. A code without an event name here is reported as `alarm` with its number.
 */
export const ALARM_CODES: ReadonlyMap<number, TrackerEvent> = new Map<number, TrackerEvent>([
  [0x01, 'sos'],
  [0x02, 'powerCut'],
  [0x03, 'vibration'],
  [0x04, 'geofenceEnter'],
  [0x05, 'geofenceExit'],
  [0x06, 'overspeed'],
  [0x09, 'towing'],
  [0x0a, 'gpsLost'],
  [0x0b, 'gpsFound'],
  [0x0c, 'powerOn'],
  [0x0d, 'gpsFound'],
  [0x0e, 'powerLow'],
  [0x0f, 'powerLow'],
  [0x10, 'simChanged'],
  [0x11, 'powerOff'],
  [0x12, 'airplaneMode'],
  [0x13, 'tamper'],
  [0x14, 'doorOpen'],
  [0x15, 'powerOff'],
  [0x16, 'sound'],
  [0x17, 'falseBaseStation'],
  [0x18, 'tamper'],
  [0x19, 'batteryLow'],
  [0x20, 'sleep'],
  [0x23, 'fall'],
  [0x24, 'charging'],
  // Not in these documents; a recorded tracker of another make reports tampering this way.
  [0x25, 'tamper'],
  [0x29, 'harshAcceleration'],
  [0x2a, 'harshCornering'],
  [0x2b, 'harshCornering'],
  [0x2c, 'crash'],
  [0x2d, 'rollover'],
  [0x30, 'harshBraking'],
  [0x32, 'tamper'],
  [0x3c, 'theft'],
  [0x3d, 'theft'],
  [0x3e, 'button'],
  // 0x41 to 0x47 from the firmware of Goome's trackers: collisions by strength, driving, turned over.
  [0x41, 'crash'],
  [0x42, 'crash'],
  [0x43, 'crash'],
  [0x44, 'harshAcceleration'],
  [0x45, 'harshBraking'],
  [0x46, 'harshCornering'],
  [0x47, 'rollover'],
  [0x4c, 'harshCornering'],
  [0x4d, 'laneChange'],
  [0xfe, 'ignitionOn'],
  [0xff, 'ignitionOff'],
]);

/** "Terminal Information", bits 3–5. */
const STATUS_ALARMS: readonly (TrackerEvent | null)[] = [null, 'vibration', 'powerCut', 'batteryLow', 'sos'];
const SOS_STATUS = 4;

/** Dashboard cameras (0x95) use other codes; these two are known only from recordings. */
const CAMERA_ALARMS: ReadonlyMap<number, TrackerEvent> = new Map<number, TrackerEvent>([
  [0x90, 'harshAcceleration'],
  [0x93, 'crash'],
]);

interface Alarm {
  readonly event: TrackerEvent | null;
  /** The number of a code without an event name. */
  readonly code: number | null;
}

/** The alarm byte, otherwise the status bits; an SOS in either takes precedence. */
export function alarmOf(code: number, statusAlarm: number): Alarm {
  if (statusAlarm === SOS_STATUS) return { event: 'sos', code: null };
  if (code === 0) return { event: STATUS_ALARMS[statusAlarm] ?? null, code: null };
  return named(ALARM_CODES, code);
}

export const cameraAlarmOf = (code: number): Alarm =>
  code === 0 ? { event: null, code: null } : named(CAMERA_ALARMS, code);

function named(codes: ReadonlyMap<number, TrackerEvent>, code: number): Alarm {
  const event = codes.get(code);
  return event === undefined ? { event: 'alarm', code } : { event, code: null };
}
