import { connect, type Socket } from 'node:net';
import type { Heard, HeardCommand } from '@milepost/decoders';

/** A TCP connection read answer by answer. */
export interface Stream {
  write(bytes: Uint8Array): void;
  /** The next `length` bytes; rejects if the connection ends before that. */
  read(length: number): Promise<Uint8Array>;
  /** From now on, commands are separated from answers: only answers are left to read. */
  listen(hear: (bytes: Uint8Array) => Heard, onCommand: (command: HeardCommand) => void): void;
  close(): void;
}

export function openStream(host: string, port: number): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ host, port, noDelay: true });
    let buffered = Buffer.alloc(0);
    let unheard = Buffer.alloc(0);
    let sort: ((bytes: Uint8Array) => Heard) | null = null;
    let tell: (command: HeardCommand) => void = () => {};
    let waiting: { length: number; resolve(bytes: Uint8Array): void; reject(error: Error): void } | null = null;
    let broken: Error | null = null;

    const serve = () => {
      if (!waiting) return;
      if (buffered.length >= waiting.length) {
        const { length, resolve: answer } = waiting;
        waiting = null;
        const bytes = buffered.subarray(0, length);
        buffered = buffered.subarray(length);
        answer(bytes);
      } else if (broken) {
        waiting.reject(broken);
        waiting = null;
      }
    };
    const take = (chunk: Buffer) => {
      unheard = Buffer.concat([unheard, chunk]);
      for (;;) {
        const heard: Heard = sort?.(unheard) ?? { status: 'answer', end: unheard.length };
        if (heard.status === 'more' || unheard.length === 0) break;
        if (heard.status === 'command') tell(heard.command);
        else buffered = Buffer.concat([buffered, unheard.subarray(0, heard.end)]);
        unheard = unheard.subarray(heard.end);
      }
      serve();
    };
    socket.on('data', take);
    socket.on('error', error => {
      broken ??= error;
      reject(error);
    });
    socket.on('close', () => {
      broken ??= new Error('The server closed the connection');
      serve();
    });
    socket.once('connect', () =>
      resolve({
        write: bytes => void socket.write(bytes),
        read: length =>
          new Promise((answer, refuse) => {
            waiting = { length, resolve: answer, reject: refuse };
            serve();
          }),
        listen: (hear, onCommand) => {
          sort = hear;
          tell = onCommand;
          unheard = buffered;
          buffered = Buffer.alloc(0);
          take(Buffer.alloc(0));
        },
        close: () => socket.destroy(),
      }),
    );
  });
}
