import { gt06Encode, type PositionMessage } from '@milepost/decoders';
import { type OpenLink, withinTimeout } from './link.ts';
import { takeOrders } from './order.ts';
import { openStream, type Stream } from './stream.ts';

/** Start (2), length, type, serial (2), checksum (2), stop (2). */
const ANSWER_BYTES = 10;

/**
 * Locations are not answered in this protocol. The server answers in order, so the answer to a heartbeat after them
 * confirms them, too.
 */
export const gt06OverTcp =
  (host: string, port: number, imei: string): OpenLink =>
  async onOrder => {
    const stream = await openStream(host, port);
    takeOrders('gt06', imei, stream, onOrder);
    let serial = 0;
    const nextSerial = (): number => {
      serial = (serial % 0xffff) + 1;
      return serial;
    };
    stream.write(gt06Encode.encodeLogin(imei, nextSerial()));
    await answered(stream, serial);
    return {
      send: async positions => {
        for (const position of positions) {
          // Only an alarm packet contains the event; it has no odometer.
          const packet = position.event
            ? gt06Encode.encodeAlarm(position, stateOf(position), nextSerial())
            : gt06Encode.encodeLocation(position, nextSerial());
          stream.write(packet);
        }
        stream.write(gt06Encode.encodeHeartbeat(stateOf(positions.at(-1)), nextSerial()));
        await answered(stream, serial);
      },
      close: () => stream.close(),
    };
  };

async function answered(stream: Stream, serial: number): Promise<void> {
  for (;;) {
    const answer = Buffer.from(await withinTimeout(stream.read(ANSWER_BYTES), 'An answer'));
    if (answer.readUInt16BE(4) === serial) return;
  }
}

const stateOf = (position: PositionMessage | undefined) => ({
  ignition: position?.ignition ?? false,
  charging: true,
  batteryLevel: 100,
  gsm: position?.gsm ?? 20,
});
