import { TRACKER_PROTOCOLS, TRANSPORTS, type TrackerProtocol, type Transport } from '@milepost/contract';

/** What a tracker sent, as it came. */
export interface RawFrame {
  readonly bytes: Uint8Array;
  readonly over: Transport;
}

export interface KeptFrame extends RawFrame {
  readonly protocol: TrackerProtocol;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  /** Bytes of the whole. */
  readonly length: number;
}

/**
 * The last frames of each vehicle, for anyone who asks what a tracker really sent. Kept in memory only: to write each frame
 * would double what ingest writes, for something that is looked at now and then. A restart forgets them; the positions in
 * them are stored.
 */
export interface RecentFrames {
  keep(vehicleId: number, frame: RawFrame, protocol: TrackerProtocol, receivedAt: number): void;
  /** Newest first; bytes are copies. */
  of(vehicleId: number): KeptFrame[];
  forget(vehicleId: number): void;
}

export const FRAME_LIMITS = {
  frames: 50,
  /** Of one frame the first so many bytes are kept. */
  frameBytes: 4096,
  /** A vehicle's share, from the first to the largest. */
  firstBytes: 512,
  mostBytes: 16_384,
  /** Of all together, beyond which no share grows. */
  allBytes: 64 * 1024 * 1024,
} as const;
export type FrameLimits = { readonly [K in keyof typeof FRAME_LIMITS]: number };

export function createRecentFrames(limits: FrameLimits = FRAME_LIMITS): RecentFrames {
  const logs = new Map<number, FrameLog>();
  let left = limits.allBytes;
  /** Room for a share to grow by, if there is any. */
  const grant = (bytes: number): boolean => {
    if (bytes > left) return false;
    left -= bytes;
    return true;
  };

  return {
    keep: (vehicleId, frame, protocol, receivedAt) => {
      let log = logs.get(vehicleId);
      if (!log) {
        log = new FrameLog(limits, grant);
        left -= limits.firstBytes;
        logs.set(vehicleId, log);
      }
      log.add(frame, protocol, receivedAt);
    },
    of: vehicleId => logs.get(vehicleId)?.frames() ?? [],
    forget: vehicleId => {
      left += logs.get(vehicleId)?.size ?? 0;
      logs.delete(vehicleId);
    },
  };
}

/** Kept bytes 2, bytes of the whole 4, transport 1, protocol 1, time 8; then the bytes. */
const HEAD_BYTES = 16;

/** Frames behind each other in one piece of memory: no object for each, nothing to collect. */
class FrameLog {
  #memory: Buffer;
  /** Where the oldest begins and the newest ends. */
  #from = 0;
  #to = 0;
  #count = 0;
  readonly #limits: FrameLimits;
  readonly #grant: (bytes: number) => boolean;

  constructor(limits: FrameLimits, grant: (bytes: number) => boolean) {
    this.#limits = limits;
    this.#grant = grant;
    this.#memory = Buffer.allocUnsafeSlow(limits.firstBytes);
  }

  get size(): number {
    return this.#memory.length;
  }

  add({ bytes, over }: RawFrame, protocol: TrackerProtocol, receivedAt: number): void {
    const wanted = Math.min(bytes.length, this.#limits.frameBytes);
    this.#makeRoom(HEAD_BYTES + wanted);
    const kept = Math.min(wanted, this.#memory.length - this.#to - HEAD_BYTES);
    const at = this.#to;
    const memory = this.#memory;
    memory.writeUInt16BE(kept, at);
    memory.writeUInt32BE(Math.min(bytes.length, 0xffff_ffff), at + 2);
    memory[at + 6] = TRANSPORTS.indexOf(over);
    memory[at + 7] = TRACKER_PROTOCOLS.indexOf(protocol);
    memory.writeDoubleBE(receivedAt, at + 8);
    memory.set(kept === bytes.length ? bytes : bytes.subarray(0, kept), at + HEAD_BYTES);
    this.#to = at + HEAD_BYTES + kept;
    this.#count++;
    while (this.#count > this.#limits.frames) this.#dropOldest();
  }

  frames(): KeptFrame[] {
    const frames: KeptFrame[] = [];
    for (let at = this.#from; at < this.#to; at += this.#sizeAt(at)) {
      const end = at + this.#sizeAt(at);
      frames.push({
        bytes: Uint8Array.from(this.#memory.subarray(at + HEAD_BYTES, end)),
        length: this.#memory.readUInt32BE(at + 2),
        over: TRANSPORTS[this.#memory[at + 6] ?? 0] ?? 'tcp',
        protocol: TRACKER_PROTOCOLS[this.#memory[at + 7] ?? 0] ?? 'teltonika',
        receivedAt: this.#memory.readDoubleBE(at + 8),
      });
    }
    return frames.reverse();
  }

  #sizeAt(at: number): number {
    return HEAD_BYTES + this.#memory.readUInt16BE(at);
  }

  #dropOldest(): void {
    this.#from += this.#sizeAt(this.#from);
    this.#count--;
  }

  /** Behind the newest. The memory grows while it may; then the oldest go, a quarter of it at once, so that it is seldom moved. */
  #makeRoom(need: number): void {
    if (this.#to + need <= this.#memory.length) return;
    const used = this.#to - this.#from;
    const { length } = this.#memory;
    let larger = length;
    while (larger < used + need && larger < this.#limits.mostBytes) larger *= 2;
    if (used > (length * 3) / 4) larger = Math.min(larger * 2, this.#limits.mostBytes);
    larger = Math.min(larger, this.#limits.mostBytes);
    if (larger > length && this.#grant(larger - length)) {
      const memory = Buffer.allocUnsafeSlow(larger);
      this.#memory.copy(memory, 0, this.#from, this.#to);
      this.#memory = memory;
    } else {
      while (this.#count > 0 && this.#to - this.#from + need > (length * 3) / 4) this.#dropOldest();
      this.#memory.copyWithin(0, this.#from, this.#to);
    }
    this.#to -= this.#from;
    this.#from = 0;
    while (this.#count > 0 && this.#to + need > this.#memory.length) {
      const size = this.#sizeAt(0);
      this.#memory.copyWithin(0, size, this.#to);
      this.#to -= size;
      this.#count--;
    }
  }
}
