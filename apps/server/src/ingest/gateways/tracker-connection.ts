import type { Socket } from 'node:net';
import type { TrackerProtocol } from '@milepost/contract';
import type { Decoded, DecodedMessage, StreamProtocol } from '@milepost/decoders';
import { epochMs } from '@milepost/units';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { LogThrottle } from '../../limits/log-throttle.ts';
import { TokenBucket } from '../../limits/token-bucket.ts';
import { NotStored } from '../lane.ts';
import { type FrameSource, keepUnread } from '../unknown-frames.ts';
import { AnswersInOrder } from './answers-in-order.ts';
import type { DeviceConnection } from './device-connections.ts';
import type { GatewayParts } from './gateway.ts';

export interface ConnectionParts extends GatewayParts {
  readonly protocol: StreamProtocol;
  readonly protocolName: TrackerProtocol;
  /** Trackers may connect and be cut often: only the first per tracker and reason is logged. */
  readonly ends: LogThrottle;
  /** Called once, when the tracker has logged in. */
  readonly onNamed: () => void;
}

const EMPTY = Buffer.alloc(0);

/**
 * One tracker on a TCP connection: frames come out of the stream, go through the decoder and into the pipeline; answers
 * leave in the order of the frames, after the commit (invariant I1). Nothing here grows without bound: whatever waits
 * for the pipeline stops the reading.
 */
export class TrackerConnection {
  readonly #socket: Socket;
  readonly #parts: ConnectionParts;
  readonly #address: string | null;
  readonly #answers: AnswersInOrder;
  readonly #bucket: TokenBucket;
  readonly #loginTimer: NodeJS.Timeout;
  #frameTimer: NodeJS.Timeout | null = null;
  #vehicle: DirectoryEntry | null = null;
  /** The ID that the tracker logged in with. */
  #identity: string | null = null;
  #registered: DeviceConnection | null = null;
  #unread: Buffer = EMPTY;
  #garbage = 0;
  #badFrames = 0;
  /** `#read` will be called again. */
  #isWaiting = false;
  #isClosed = false;

  constructor(socket: Socket, parts: ConnectionParts) {
    this.#socket = socket;
    this.#parts = parts;
    this.#bucket = new TokenBucket(parts.limits, Date.now());
    this.#address = socket.remoteAddress ?? null;
    this.#answers = new AnswersInOrder(
      socket,
      answer => this.#send(answer),
      () => this.#goOn(),
      error => this.close(error instanceof NotStored ? 'not-stored' : 'error'),
    );
    this.#loginTimer = setTimeout(() => this.close('no-login'), parts.limits.loginWithinMs);
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 60_000);
    // A tracker that waits for us isn't idle; the timer restarts with its answer.
    socket.setTimeout(parts.limits.idleMs, () => {
      if (this.#answers.waiting === 0) this.close('idle');
    });
    socket.on('data', chunk => this.#receive(chunk));
    socket.on('error', () => this.close('network'));
    socket.on('close', () => this.close('network'));
    // A tracker that has said all it has still waits for its acknowledgement.
    socket.on('end', () => this.#answers.whenEmpty(() => socket.end()));
  }

  /** Ends the connection, with `lastWords` for the tracker if it should hear any. */
  close(reason: string, lastWords: Uint8Array | null = null): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#loginTimer);
    this.#stopFrameTimer();
    if (this.#registered) this.#parts.connections.remove(this.#registered);
    this.#unread = EMPTY;
    const { log, metrics, protocolName } = this.#parts;
    if (reason !== 'network') {
      metrics.connectionsCut.inc({ protocol: protocolName, reason });
      const imei = this.#vehicle?.imei;
      const level = imei && this.#parts.ends.allows(`${imei} ${reason}`) ? 'info' : 'debug';
      log[level]({ reason, imei, address: this.#address }, 'Ended the connection of a tracker');
    }
    if (lastWords) this.#socket.end(lastWords, () => this.#socket.destroy());
    else this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    if (this.#isClosed) return;
    this.#unread = this.#unread.length === 0 ? chunk : Buffer.concat([this.#unread, chunk]);
    if (!this.#isWaiting) this.#read();
  }

  /** Takes whole frames out of what has come, until there is none or something asks to wait. */
  #read(): void {
    const { protocol } = this.#parts;
    let at = 0;
    while (at < this.#unread.length && !this.#mustWait()) {
      const rest = this.#unread.subarray(at);
      const scan = protocol.nextFrame(rest);
      if (scan.status === 'more') {
        if (rest.length > protocol.maxFrameBytes) this.close('too-long');
        break;
      }
      at += scan.end;
      if (scan.status === 'frame') this.#takeFrame(rest.subarray(0, scan.end));
      else this.#throwAway(rest.subarray(0, scan.end));
      if (this.#isClosed) return;
    }
    if (this.#isClosed) return;
    // A copy, so that half a frame does not keep the whole of the buffer that it came in.
    if (at > 0) this.#unread = at === this.#unread.length ? EMPTY : Buffer.from(this.#unread.subarray(at));
    if (this.#isWaiting) return;
    if (this.#unread.length === 0) this.#stopFrameTimer();
    else if (at > 0 || this.#frameTimer === null) this.#startFrameTimer();
    if (this.#socket.isPaused()) this.#socket.resume();
  }

  /** True when reading has to stop; then it is also arranged that it goes on. */
  #mustWait(): boolean {
    const { pipeline } = this.#parts;
    const pauseMs = this.#bucket.pauseMs;
    if (pauseMs === 0 && pipeline.hasRoom() && this.#answers.waiting < this.#parts.limits.framesInFlight) return false;
    this.#isWaiting = true;
    this.#stopFrameTimer();
    this.#socket.pause();
    if (pauseMs > 0) setTimeout(() => this.#goOn(), pauseMs).unref();
    else if (!pipeline.hasRoom()) pipeline.whenRoom().then(() => this.#goOn());
    // Else an answer that leaves goes on.
    return true;
  }

  #goOn(): void {
    if (!this.#isWaiting || this.#isClosed) return;
    this.#isWaiting = false;
    this.#read();
  }

  /** Of what is no frame at all, the first piece is kept. */
  #throwAway(bytes: Buffer): void {
    if (this.#garbage === 0) this.#parts.unknownFrames.seen(this.#source(), bytes, { code: 'no-frame', at: 0 });
    this.#garbage += bytes.length;
    if (this.#garbage > this.#parts.limits.garbageBytes) this.close('garbage');
  }

  #source(): FrameSource {
    return { protocol: this.#parts.protocolName, imei: this.#vehicle?.imei ?? null, address: this.#address };
  }

  #takeFrame(frame: Buffer): void {
    const { protocol, protocolName, metrics, reception, unknownFrames } = this.#parts;
    const now = Date.now();
    const receivedAt = epochMs(now);
    const decoded = protocol.decode(frame, { imei: this.#vehicle?.imei ?? null, receivedAt });
    this.#bucket.spend(1 + decoded.messages.length, now);
    if (decoded.messages.length > 0 && decoded.messages.every(message => message.kind === 'error')) {
      this.#badFrames++;
      keepUnread(unknownFrames, this.#source(), frame, decoded.messages);
      for (const message of decoded.messages) {
        if (message.kind === 'error') metrics.decodeErrors.inc({ protocol: protocolName, code: message.code });
      }
      // Some protocols tell the tracker why.
      if (decoded.acknowledgement) this.#answers.add(decoded.acknowledgement, null);
      if (this.#badFrames > this.#parts.limits.badFrames) this.close('bad-frames');
      return;
    }
    this.#badFrames = 0;
    this.#garbage = 0;
    for (const message of decoded.messages) {
      if (message.kind === 'login' && !this.#signIn(message, decoded, frame)) return;
    }
    keepUnread(unknownFrames, this.#source(), frame, decoded.messages);
    const vehicle = this.#vehicle;
    const raw = { bytes: frame, over: 'tcp' } as const;
    const via = this.#registered;
    if (via) this.#parts.connections.heard(via, now);
    const stored = vehicle ? reception.take(vehicle, decoded.messages, protocolName, receivedAt, raw, via) : null;
    this.#answers.add(decoded.acknowledgement, stored);
  }

  /** False when the tracker is refused. */
  #signIn({ imei }: Extract<DecodedMessage, { kind: 'login' }>, decoded: Decoded, bytes: Buffer): boolean {
    const { messages, refusal } = decoded;
    const { connections, onNamed, protocol, protocolName, reception } = this.#parts;
    if (this.#vehicle) {
      // Some trackers say their IMEI in one frame and a number of their own in another.
      if (this.#identity === imei) return true;
      if (reception.admit(imei, protocolName, this.#address, { messages, bytes })?.id === this.#vehicle.id) return true;
      this.close('second-login', refusal);
      return false;
    }
    const vehicle = reception.admit(imei, protocolName, this.#address, { messages, bytes });
    if (!vehicle) {
      this.close('unknown-tracker', refusal);
      return false;
    }
    clearTimeout(this.#loginTimer);
    this.#vehicle = vehicle;
    this.#identity = imei;
    this.#registered = {
      imei: vehicle.imei,
      identity: imei,
      vehicleId: vehicle.id,
      protocol: protocolName,
      address: this.#address,
      encode: (command, reference) => protocol.encodeCommand(command, reference, imei),
      send: bytes => this.#send(bytes),
      close: reason => this.close(reason),
    };
    connections.add(this.#registered);
    onNamed();
    return true;
  }

  #send(bytes: Uint8Array): void {
    if (this.#isClosed) return;
    this.#socket.write(bytes);
    if (this.#socket.writableLength > this.#parts.limits.unreadBytes) this.close('not-reading');
  }

  #startFrameTimer(): void {
    this.#stopFrameTimer();
    this.#frameTimer = setTimeout(() => this.close('slow-frame'), this.#parts.limits.frameWithinMs);
  }

  #stopFrameTimer(): void {
    if (this.#frameTimer) clearTimeout(this.#frameTimer);
    this.#frameTimer = null;
  }
}
