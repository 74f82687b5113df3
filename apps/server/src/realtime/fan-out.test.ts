import { PassThrough, Writable } from 'node:stream';
import mqttPacket from 'mqtt-packet';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import type { LiveMessage } from '../ingest/live-messages.ts';
import { createFanOut, type Subscriber } from './fan-out.ts';

const message = (topic: string, payload: string, fields: Partial<LiveMessage> = {}): LiveMessage => ({
  topic,
  accountId: 1,
  kind: 'positionReport',
  payload,
  ...fields,
});

/** What a subscriber received, as `topic payload`. */
function listener(accountId = 1): Subscriber & { heard(): string[] } {
  const stream = new PassThrough({ highWaterMark: 1e9 });
  return {
    accountId,
    stream,
    heard: () => {
      const packets: string[] = [];
      const parser = mqttPacket.parser();
      parser.on('packet', packet => {
        if (packet.cmd === 'publish') packets.push(`${packet.topic} ${packet.payload}`);
      });
      parser.parse(stream.read() ?? Buffer.alloc(0));
      return packets;
    },
  };
}

it('brings a message to everybody who listens to its topic, and to nobody else', () => {
  const fanOut = createFanOut(new Registry());
  const [both, one, none] = [listener(), listener(), listener()];
  fanOut.subscribe('device/1', both);
  fanOut.subscribe('device/2', both);
  fanOut.subscribe('device/1', one);
  fanOut.publish([message('device/1', 'a'), message('device/2', 'b'), message('device/3', 'c')]);
  expect(both.heard()).toEqual(['device/1 a', 'device/2 b']);
  expect(one.heard()).toEqual(['device/1 a']);
  expect(none.heard()).toEqual([]);
});

it('[I2] brings nothing to a subscriber of another account, whatever it subscribed to', () => {
  const fanOut = createFanOut(new Registry());
  const stranger = listener(2);
  fanOut.subscribe('device/1', stranger);
  fanOut.publish([message('device/1', 'a')]);
  expect(stranger.heard()).toEqual([]);
});

it('knows whether anybody listens', () => {
  const fanOut = createFanOut(new Registry());
  const subscriber = listener();
  expect(fanOut.isWatched('device/1')).toBe(false);
  fanOut.subscribe('device/1', subscriber);
  expect(fanOut.isWatched('device/1')).toBe(true);
  fanOut.unsubscribe('device/1', subscriber);
  expect(fanOut.isWatched('device/1')).toBe(false);
});

it('ends subscriptions one by one, all of a subscriber, and all of a topic but those of one account', () => {
  const fanOut = createFanOut(new Registry());
  const [leaves, stays, other] = [listener(), listener(), listener(2)];
  for (const subscriber of [leaves, stays, other]) fanOut.subscribe('device/1', subscriber);
  fanOut.leave(leaves);
  fanOut.revoke('device/1', 1);
  fanOut.publish([message('device/1', 'a'), message('device/1', 'b', { accountId: 2 })]);
  expect([leaves.heard(), stays.heard(), other.heard()]).toEqual([[], ['device/1 a'], []]);
  fanOut.revoke('device/1', null);
  expect(fanOut.isWatched('device/1')).toBe(false);
});

it('[I9] keeps for a slow reader only the newest of each topic and kind, in order, and drops the rest', async () => {
  const registry = new Registry();
  const fanOut = createFanOut(registry);
  const written: Buffer[] = [];
  let takeNext: (() => void) | null = null;
  // Accepts one write at a time, the next only when told to.
  const stream = new Writable({
    highWaterMark: 1024,
    write: (chunk, _, done) => {
      written.push(chunk);
      takeNext = done;
    },
  });
  const slow = { accountId: 1, stream };
  fanOut.subscribe('device/1', slow);
  fanOut.subscribe('device/2', slow);
  const big = 'x'.repeat(300 * 1024);
  fanOut.publish([message('device/1', big)]);
  expect(stream.writableLength).toBeGreaterThan(256 * 1024);

  for (let n = 0; n < 10_000; n++) {
    fanOut.publish([message('device/2', `state ${n}`, { kind: 'vehicleState' }), message('device/1', `report ${n}`)]);
  }
  fanOut.publish([message('device/2', 'report')]);
  expect(stream.writableLength).toBeLessThan(310 * 1024);

  const drained = new Promise(resolve => stream.once('drain', resolve));
  takeNext!();
  await drained;
  const packets: string[] = [];
  const parser = mqttPacket.parser();
  parser.on('packet', packet => {
    if (packet.cmd === 'publish') packets.push(`${packet.topic} ${packet.payload}`);
  });
  parser.parse(written[1]!);
  expect(packets).toEqual(['device/2 state 9999', 'device/1 report 9999', 'device/2 report']);
  const dropped = await registry.getSingleMetric('milepost_live_messages_superseded_total')!.get();
  expect(dropped.values[0]!.value).toBe(2 * 9999);
});
