import fc from 'fast-check';
import mqttPacket from 'mqtt-packet';
import { expect, it } from 'vitest';
import { PacketHeaders } from './packet-limit.ts';

const publish = (bytes: number) =>
  mqttPacket.generate({
    cmd: 'publish',
    topic: 't',
    payload: Buffer.alloc(bytes, 0xff),
    qos: 0,
    retain: false,
    dup: false,
  });
const cut = (bytes: Buffer, sizes: readonly number[]): Buffer[] => {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const size of sizes) {
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  pieces.push(bytes.subarray(at));
  return pieces;
};

it('lets packets up to the limit pass, wherever the stream is cut', () => {
  const lengths = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 8 });
  const sizes = fc.array(fc.integer({ min: 0, max: 9000 }), { maxLength: 30 });
  fc.assert(
    fc.property(lengths, sizes, (lengths, sizes) => {
      const headers = new PacketHeaders(20_003);
      const stream = Buffer.concat(lengths.map(publish));
      expect(cut(stream, sizes).every(piece => headers.follow(piece))).toBe(true);
    }),
  );
});

it('ends the stream at the header of a packet that is too long, before its body has come', () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 30 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 50 }), sizes, (before, sizes) => {
      const headers = new PacketHeaders(100);
      const stream = Buffer.concat([publish(before), publish(200).subarray(0, 3)]);
      expect(cut(stream, sizes).every(piece => headers.follow(piece))).toBe(false);
    }),
  );
});

it('ends the stream at a length of more than four bytes [MQTT-2.2.3]', () => {
  expect(new PacketHeaders(1e9).follow(Buffer.of(0x30, 0x80, 0x80, 0x80, 0x80, 0x01))).toBe(false);
});
