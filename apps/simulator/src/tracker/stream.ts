import { connect, type Socket } from 'node:net';

/** A TCP connection read answer by answer. */
export interface Stream {
  write(bytes: Uint8Array): void;
  /** The next `length` bytes; rejects when the connection ends before. */
  read(length: number): Promise<Uint8Array>;
  close(): void;
}

export function openStream(host: string, port: number): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ host, port, noDelay: true });
    let buffered = Buffer.alloc(0);
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
    socket.on('data', chunk => {
      buffered = Buffer.concat([buffered, chunk]);
      serve();
    });
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
        close: () => socket.destroy(),
      }),
    );
  });
}
