import type { DeviceMessage } from '@milepost/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDeviceMessage } from './device-message.ts';

const IMEI = '356307042441013';
const TOPIC = `device/${IMEI}`;
const report = {
  action: 'positionReport',
  imei: IMEI,
  lat: 41.88,
  lon: -87.63,
  reportDate: '2026-11-21',
  reportTime: '08:00:00',
} as unknown as DeviceMessage;
const read = (message: unknown, topic = TOPIC) => readDeviceMessage(topic, JSON.stringify(message));

describe('a message on a device topic', () => {
  it('[R7.33] positionReport and vehicleState are passed on', () => {
    expect(read(report)).toEqual({ kind: 'message', message: report });
    const state = { action: 'vehicleState', imei: IMEI, live: { motion: null } };
    expect(read(state)).toEqual({ kind: 'message', message: state });
  });

  it('[R7.33] other actions are recognized, and then ignored or logged', () => {
    expect(read({ action: 'positionPacket' })).toEqual({ kind: 'other', action: 'positionPacket' });
    expect(read({ action: 'trackOnDemandConfirmed' })).toEqual({ kind: 'other', action: 'trackOnDemandConfirmed' });
  });

  it('of another vehicle, or without a place or time, is unreadable', () => {
    expect(read(report, 'device/490154203237518').kind).toBe('unreadable');
    expect(read(report, 'user/356307042441013').kind).toBe('unreadable');
    for (const missing of ['lat', 'lon', 'reportDate', 'reportTime', 'imei'])
      expect(read({ ...report, [missing]: undefined }).kind).toBe('unreadable');
    expect(read({ action: 'vehicleState', imei: IMEI, live: null }).kind).toBe('unreadable');
  });

  it('[I3] never throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.oneof(fc.string(), fc.json()), (topic, text) => {
        expect(readDeviceMessage(topic, text).kind).not.toBe('message');
        expect(['unreadable', 'other', 'message']).toContain(readDeviceMessage(TOPIC, text).kind);
      }),
    );
  });
});
