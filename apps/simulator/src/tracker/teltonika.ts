import { createSocket } from 'node:dgram';
import { teltonikaEncode } from '@milepost/decoders';
import { type Link, type OpenLink, withinTimeout } from './link.ts';
import { takeOrders } from './order.ts';
import { openStream } from './stream.ts';

/** Signs in with the IMEI, then sends packets; each is acknowledged with the number of records accepted. */
export const teltonikaOverTcp =
  (host: string, port: number, imei: string): OpenLink =>
  async onOrder => {
    const stream = await openStream(host, port);
    stream.write(teltonikaEncode.encodeLogin(imei));
    const [accepted] = await withinTimeout(stream.read(1), 'Signing in');
    if (accepted !== 1) {
      stream.close();
      throw new Error('The server does not know this IMEI');
    }
    takeOrders('teltonika', imei, stream, onOrder);
    return {
      send: async positions => {
        stream.write(teltonikaEncode.encodePacket(positions, 'codec8Extended'));
        const answer = Buffer.from(await withinTimeout(stream.read(4), 'An acknowledgement'));
        if (answer.readUInt32BE() !== positions.length) throw new Error('The server did not accept every record');
      },
      close: () => stream.close(),
    };
  };

/** The UDP channel: packet and acknowledgement contain the same two numbers. */
export const teltonikaOverUdp =
  (host: string, port: number, imei: string): OpenLink =>
  async () => {
    const socket = createSocket('udp4');
    let count = 0;
    let hear: ((datagram: Buffer) => void) | null = null;
    socket.on('message', datagram => hear?.(datagram));
    socket.on('error', () => {});
    socket.unref();
    const link: Link = {
      send: async positions => {
        const head = { imei, packetId: count & 0xffff, avlPacketId: count & 0xff };
        count++;
        const answered = new Promise<void>((resolve, reject) => {
          hear = datagram => {
            // Length, packet id, usable, AVL packet id, number accepted.
            if (datagram.length < 7 || datagram.readUInt16BE(2) !== head.packetId) return;
            if (datagram[5] !== head.avlPacketId) return;
            if (datagram[6] === positions.length) resolve();
            else reject(new Error('The server did not accept every record'));
          };
        });
        socket.send(teltonikaEncode.encodeDatagram(head, positions, 'codec8'), port, host);
        await withinTimeout(answered, 'An acknowledgement').finally(() => {
          hear = null;
        });
      },
      close: () => socket.close(),
    };
    return link;
  };
