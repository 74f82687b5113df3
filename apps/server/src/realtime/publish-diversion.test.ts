import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import mqttPacket, { type Packet } from 'mqtt-packet';
import { describe, expect, it } from 'vitest';
import { type DiversionParts, type DivertedPublish, PublishDiversion } from './publish-diversion.ts';

const OWN = 'device/1';
const isOwn = ({ topic }: DivertedPublish) => topic.toString() === OWN;

function diversionWith(parts: Partial<DiversionParts> = {}) {
  const taken: DivertedPublish[] = [];
  const stream = new PassThrough();
  const diversion = new PublishDiversion(stream, {
    inFlight: 1000,
    takes: isOwn,
    take: (publish, done) => {
      taken.push(publish);
      done();
    },
    ...parts,
  });
  return { diversion, stream, taken };
}

const publish = (fields: object): Packet =>
  ({ cmd: 'publish', topic: OWN, payload: 'x', qos: 1, messageId: 7, retain: false, dup: false, ...fields }) as Packet;

const packets = fc.array(
  fc.oneof(
    fc
      .record({
        topic: fc.constantFrom(OWN, 'device/2', 'a'),
        payload: fc.string({ maxLength: 400 }),
        qos: fc.constantFrom(0, 1),
        messageId: fc.integer({ min: 1, max: 65_535 }),
        dup: fc.boolean(),
      })
      .map(fields => publish({ ...fields, dup: fields.qos === 1 && fields.dup })),
    fc.constantFrom<Packet>(
      { cmd: 'pingreq' },
      { cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: 'user/1', qos: 1 }] } as Packet,
      publish({ qos: 2 }),
      publish({ retain: true }),
    ),
  ),
  { maxLength: 20 },
);

describe('publishes past the broker', () => {
  it('are taken whole and in order, all else goes on unchanged, however the bytes are cut', () => {
    fc.assert(
      fc.property(
        packets,
        fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 40 }),
        (sent, cuts) => {
          const { diversion, taken } = diversionWith();
          const bytes = Buffer.concat(sent.map(packet => mqttPacket.generate(packet)));
          const goneOn: Buffer[] = [];
          for (let at = 0, i = 0; at < bytes.length; i++) {
            const cut = cuts[i % cuts.length] ?? 1;
            const left = diversion.sift(bytes.subarray(at, at + cut));
            if (left) goneOn.push(left);
            at += cut;
          }
          // After a publish that the broker must answer, nothing is taken.
          const first = sent.findIndex(
            packet => packet.cmd === 'publish' && (packet.topic !== OWN || packet.qos === 2 || packet.retain),
          );
          const isTaken = (packet: Packet, i: number) => packet.cmd === 'publish' && (first < 0 || i < first);
          const expected = sent.filter(isTaken) as Extract<Packet, { cmd: 'publish' }>[];
          expect(taken.map(({ messageId, payload }) => [messageId, payload.toString()])).toEqual(
            expected.map(({ qos, messageId, payload }) => [qos === 1 ? messageId : null, String(payload)]),
          );
          const others = sent.filter((packet, i) => !isTaken(packet, i)).map(packet => mqttPacket.generate(packet));
          expect(Buffer.concat(goneOn).toString('hex')).toBe(Buffer.concat(others).toString('hex'));
        },
      ),
    );
  });

  it('are taken again when the broker has answered what went on to it', () => {
    const { diversion, taken } = diversionWith();
    diversion.sift(mqttPacket.generate(publish({ topic: 'device/2' })));
    expect(diversion.sift(mqttPacket.generate(publish({})))).not.toBeNull();
    diversion.answered();
    diversion.answered();
    expect(diversion.sift(mqttPacket.generate(publish({})))).toBeNull();
    expect(taken).toHaveLength(1);
  });

  it('hold the connection up while too many wait, and lose nothing', async () => {
    const waiting: (() => void)[] = [];
    const passedOn: Buffer[] = [];
    let taken = 0;
    const server = createServer(socket => {
      new PublishDiversion(socket, {
        inFlight: 3,
        takes: isOwn,
        take: (_, done) => {
          taken++;
          waiting.push(done);
        },
      });
      socket.on('readable', () => {
        const chunk: Buffer | null = socket.read();
        if (chunk) passedOn.push(chunk);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const tracker = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', noDelay: true });
    await once(tracker, 'connect');
    // Pings keep the broker reading, which must not fetch more publishes.
    const sent = Buffer.concat([mqttPacket.generate(publish({})), mqttPacket.generate({ cmd: 'pingreq' })]);
    for (let i = 0; i < 40; i++) {
      tracker.write(sent);
      await new Promise(resolve => setTimeout(resolve, 2));
    }
    // Several may arrive together.
    expect(taken).toBeGreaterThanOrEqual(3);
    expect(taken).toBeLessThan(10);
    while (taken < 40) {
      const before = taken;
      for (const done of waiting.splice(0)) done();
      await expect.poll(() => taken).toBeGreaterThan(before);
    }
    await expect.poll(() => Buffer.concat(passedOn)).toHaveLength(2 * 40);
    expect(taken).toBe(40);
    tracker.destroy();
    server.close();
  });

  it.each<[string, Buffer]>([
    ['a topic that is longer than the packet', Buffer.of(0x30, 3, 0xff, 0xff, 1)],
    ['no topic', Buffer.of(0x32, 0)],
    ['message id 0', Buffer.concat([Buffer.of(0x32, 12, 0, 8), Buffer.from(OWN), Buffer.of(0, 0)])],
    ['a length that is none', Buffer.of(0x30, 0xff, 0xff, 0xff, 0xff, 0x7f)],
  ])('are none with %s: that is the broker’s to judge', (_, bytes) => {
    const { diversion, taken } = diversionWith();
    expect(diversion.sift(bytes)).toEqual(bytes);
    expect(taken).toEqual([]);
  });
});
