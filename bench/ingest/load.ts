/**
 * A load process: a number of trackers, each on its own socket. Messages are created before the start, so that this
 * process uses little time while it runs.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { deviceTopic } from '@milepost/contract';
import { type PositionMessage, teltonikaEncode } from '@milepost/decoders';
import mqttPacket from 'mqtt-packet';
import { drivenPosition } from './drive.ts';
import type { FromLoad, LoadPlan, ToLoad } from './load-plan.ts';

interface Tracker {
  readonly socket: Socket;
  next: number;
  sentAt: number;
  isWaiting: boolean;
}

const tell = (message: FromLoad): boolean | undefined => process.send?.(message);

process.on('message', async (message: ToLoad) => {
  if (message.type === 'plan') await prepare(message.plan);
});
process.on('disconnect', () => process.exit(0));

async function prepare(plan: LoadPlan): Promise<void> {
  const messages = plan.imeis.map((imei, vehicle) => messagesOf(plan, imei, vehicle));
  const trackers: Tracker[] = [];
  for (const imei of plan.imeis) {
    trackers.push({ socket: await signIn(plan, imei), next: 0, sentAt: 0, isWaiting: false });
  }
  tell({ type: 'ready' });
  await once(process, 'message');
  const began = performance.now();
  const latencies = await (plan.rate === null
    ? race(plan, trackers, messages)
    : pace(plan, plan.rate, trackers, messages));
  const seconds = (performance.now() - began) / 1000;
  tell({ type: 'done', positions: latencies.length * plan.perMessage, seconds, latencies });
  for (const { socket } of trackers) socket.destroy();
}

/** Every tracker sends its next message when the previous one is acknowledged. */
function race(
  plan: LoadPlan,
  trackers: readonly Tracker[],
  messages: readonly (readonly Buffer[])[],
): Promise<number[]> {
  const { promise, resolve } = Promise.withResolvers<number[]>();
  const latencies: number[] = [];
  let left = trackers.length * plan.messagesPerTracker;
  trackers.forEach((tracker, index) => {
    const own = messages[index] ?? [];
    onAcknowledged(tracker, () => {
      latencies.push(performance.now() - tracker.sentAt);
      if (tracker.next < own.length) send(tracker, own);
      if (--left === 0) resolve(latencies);
    });
    send(tracker, own);
  });
  return promise;
}

/**
 * The trackers send in turn, each at its scheduled time, from which its latency is counted, including delays in
 * sending.
 */
async function pace(
  plan: LoadPlan,
  rate: number,
  trackers: readonly Tracker[],
  messages: readonly (readonly Buffer[])[],
): Promise<number[]> {
  const { promise, resolve } = Promise.withResolvers<number[]>();
  const latencies: number[] = [];
  const due = trackers.map((): number[] => []);
  const total = trackers.length * plan.messagesPerTracker;
  const sendDue = (index: number): void => {
    const tracker = trackers[index];
    const moment = due[index]?.shift();
    if (!tracker || moment === undefined) return;
    send(tracker, plan.epochMs === null ? (messages[index] ?? []) : freshMessages(plan, index, tracker.next));
    tracker.sentAt = moment;
  };
  trackers.forEach((tracker, index) => {
    onAcknowledged(tracker, () => {
      latencies.push(performance.now() - tracker.sentAt);
      if (latencies.length === total) resolve(latencies);
      sendDue(index);
    });
  });
  const began = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    for (; sent < total && began + (sent * 1000) / rate <= now; sent++) {
      const index = sent % trackers.length;
      due[index]?.push(began + (sent * 1000) / rate);
      if (!trackers[index]?.isWaiting) sendDue(index);
    }
    if (sent === total) clearInterval(timer);
  }, 1);
  return promise;
}

function send(tracker: Tracker, messages: readonly Buffer[]): void {
  const message = messages[tracker.next++];
  if (!message) throw new Error('A tracker has no message left');
  tracker.sentAt = performance.now();
  tracker.isWaiting = true;
  tracker.socket.write(message);
}

/** Both protocols acknowledge with four bytes: the number of records, or a PUBACK. */
const ACKNOWLEDGEMENT_BYTES = 4;

function onAcknowledged(tracker: Tracker, then: () => void): void {
  let received = 0;
  tracker.socket.on('data', chunk => {
    received += chunk.length;
    for (; received >= ACKNOWLEDGEMENT_BYTES; received -= ACKNOWLEDGEMENT_BYTES) {
      tracker.isWaiting = false;
      then();
    }
  });
  tracker.socket.on('close', () => {
    if (tracker.isWaiting) throw new Error('The server hung up on a tracker that waited for an acknowledgement');
  });
}

function messagesOf(plan: LoadPlan, imei: string, vehicle: number): Buffer[] {
  if (plan.epochMs !== null) return [];
  return Array.from({ length: plan.messagesPerTracker }, (_, n) => messageOf(plan, imei, vehicle, n, n));
}

/** Only the next message, created now, because its odometer is the time. */
function freshMessages(plan: LoadPlan, vehicle: number, n: number): Buffer[] {
  const odometer = Date.now() - (plan.epochMs ?? 0);
  const messages: Buffer[] = [];
  messages[n] = messageOf(plan, plan.imeis[vehicle] ?? '', vehicle, n, odometer);
  return messages;
}

function messageOf(plan: LoadPlan, imei: string, vehicle: number, n: number, odometer: number): Buffer {
  const positions = Array.from({ length: plan.perMessage }, (_, i) =>
    drivenPosition(vehicle, plan.firstFixMs + (n * plan.perMessage + i) * 1000, odometer),
  );
  return plan.transport === 'teltonika'
    ? Buffer.from(teltonikaEncode.encodePacket(positions))
    : publishOf(imei, positions, (n % 65_535) + 1);
}

function publishOf(imei: string, [position]: readonly PositionMessage[], messageId: number): Buffer {
  if (!position) throw new Error('A publish carries one position');
  const time = new Date(position.time).toISOString();
  const report = {
    action: 'positionReport',
    lat: position.lat,
    lon: position.lon,
    speed: 50.4,
    course: position.course,
    altitude: position.altitude,
    mileage: (position.odometer ?? 0) / 1000,
    fuelGage: position.fuel,
    temp: 4.5,
    gpsStatus: 'A',
    gsmStatus: position.gsm,
    ignitionStatus: 1,
    satellites: position.satellites,
    hdop: position.hdop,
    reportDate: time.slice(0, 10),
    reportTime: time.slice(11, 19),
  };
  const payload = JSON.stringify(report);
  return mqttPacket.generate({
    cmd: 'publish',
    topic: deviceTopic(imei),
    payload,
    qos: 1,
    messageId,
    retain: false,
    dup: false,
  });
}

async function signIn(plan: LoadPlan, imei: string): Promise<Socket> {
  const socket = connect({ port: plan.port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  const hello =
    plan.transport === 'teltonika'
      ? Buffer.from(teltonikaEncode.encodeLogin(imei))
      : mqttPacket.generate({
          cmd: 'connect',
          protocolId: 'MQTT',
          protocolVersion: 4,
          clean: true,
          clientId: imei,
          keepalive: 600,
          username: imei,
          password: Buffer.from(plan.deviceKey),
        });
  socket.write(hello);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  const accepted = plan.transport === 'teltonika' ? answer[0] === 1 : answer[0] === 0x20 && answer[3] === 0;
  if (!accepted) throw new Error(`The server refused the tracker ${imei}: ${answer.toString('hex')}`);
  return socket;
}
