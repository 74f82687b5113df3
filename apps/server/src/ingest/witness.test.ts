import type { PositionMessage } from '@milepost/decoders';
import { degrees, epochMs, metresPerSecond } from '@milepost/units';
import { describe, expect, it } from 'vitest';
import { positionMessage } from '../../testing/ingest.ts';
import type { DeviceConnection } from './gateways/device-connections.ts';
import { Witness } from './witness.ts';

const NOW = Date.parse('2026-03-02T12:00:00Z');
const at = (seconds: number) => epochMs(NOW + seconds * 1000);
const connection = (): DeviceConnection => ({
  ...{ imei: '356307042441013', identity: '356307042441013', vehicleId: 7, protocol: 'teltonika', address: null },
  encode: () => new Uint8Array(),
  send: () => {},
  close: () => {},
});
/** Meters per second, and meters north of the starting point. */
const fix = (seconds: number, speed: number, north = 0, fields: Partial<PositionMessage> = {}) => [
  positionMessage(at(seconds), { speed: metresPerSecond(speed), lat: degrees(41.9 + north / 111_000), ...fields }),
];

describe('whom the interlock believes', () => {
  it('is the connection over which all has come, and since when', () => {
    const witness = new Witness();
    const tracker = connection();
    expect(witness.since(tracker)).toBeNull();
    for (let s = 0; s < 90; s += 30) expect(witness.heard(7, tracker, fix(s, 0), at(s))).toBeNull();
    expect(witness.since(tracker)).toBe(at(0));
  });

  it('is nobody else from the moment at which another one reports, and then starts over', () => {
    const witness = new Witness();
    const [tracker, stranger] = [connection(), connection()];
    witness.heard(7, tracker, fix(0, 0), at(0));
    witness.heard(7, stranger, fix(30, 0), at(30));
    expect([witness.since(tracker), witness.since(stranger)]).toEqual([null, at(30)]);
    witness.heard(7, tracker, fix(60, 0), at(60));
    expect([witness.since(tracker), witness.since(stranger)]).toEqual([at(60), null]);
  });

  it('says once more that it stands after something was refused, and is not held up by what goes on', () => {
    const witness = new Witness();
    const tracker = connection();
    witness.heard(7, tracker, fix(0, 0), at(0));
    witness.warned(7, at(100));
    expect(witness.since(tracker)).toBe(at(100));
    for (let s = 101; s < 7300; s += 60) witness.warned(7, at(s));
    expect(witness.since(tracker)).toBe(at(100));
    witness.warned(7, at(7300 + 600));
    expect(witness.since(tracker)).toBe(at(7900));
  });
});

describe('two connections', () => {
  it('disagree when a vehicle would have to be faster than any', () => {
    const witness = new Witness();
    witness.heard(7, connection(), fix(0, 0), at(0));
    const found = witness.heard(7, connection(), fix(10, 0, 5000), at(10));
    expect(found).toMatchObject({ by: 'connection', speeds: [0, 0] });
    expect(found?.metres).toBeCloseTo(5000, 0);
  });

  it('disagree when one stands and one moves, and both are there', () => {
    const witness = new Witness();
    const [tracker, stranger] = [connection(), connection()];
    witness.heard(7, tracker, fix(0, 22), at(0));
    witness.heard(7, stranger, fix(20, 0, 440), at(20));
    expect(witness.heard(7, tracker, fix(40, 22, 880), at(40))).toMatchObject({ by: 'connection', speeds: [0, 22] });
  });

  it('agree when it set off while its tracker dialed in again', () => {
    const witness = new Witness();
    witness.heard(7, connection(), fix(0, 0), at(0));
    const again = connection();
    expect(witness.heard(7, again, fix(20, 9, 90), at(20))).toBeNull();
    expect(witness.heard(7, again, fix(40, 15, 300), at(40))).toBeNull();
  });

  it('say nothing about each other when their fixes are far apart in time', () => {
    const witness = new Witness();
    witness.heard(7, connection(), fix(0, 0), at(0));
    expect(witness.heard(7, connection(), fix(-3600, 22, 90_000), at(10))).toBeNull();
  });

  it('are identified by their address if no answer can be sent', () => {
    const witness = new Witness();
    witness.heard(7, '203.0.113.7', fix(0, 0), at(0));
    expect(witness.heard(7, '203.0.113.7', fix(20, 9, 90), at(20))).toBeNull();
    expect(witness.heard(7, '198.51.100.9', fix(30, 0, -9000), at(30))).toMatchObject({ by: 'connection' });
  });
});

describe('one connection', () => {
  it('contradicts itself when a vehicle would have to be faster than any, and is believed from there on', () => {
    const witness = new Witness();
    const tracker = connection();
    witness.heard(7, tracker, fix(0, 0), at(0));
    expect(witness.heard(7, tracker, fix(10, 0, 5000), at(10))).toMatchObject({ by: 'itself' });
    expect(witness.since(tracker)).toBe(at(10));
  });

  it('contradicts itself when it stops within a moment', () => {
    const witness = new Witness();
    const tracker = connection();
    witness.heard(7, tracker, fix(0, 30), at(0));
    expect(witness.heard(7, tracker, fix(0, 0), at(0))).toMatchObject({ by: 'itself', speeds: [30, 0] });
  });

  it('does not by driving, braking hard, or a fix that its tracker does not believe', () => {
    const witness = new Witness();
    const tracker = connection();
    const drive = [fix(0, 0), fix(30, 20, 300), fix(34, 0, 340), fix(40, 0, 90_000, { valid: false }), fix(50, 3, 345)];
    const found = drive.map((fixes, i) => witness.heard(7, tracker, fixes, at(i * 10)));
    expect(found).toEqual(drive.map(() => null));
  });
});
