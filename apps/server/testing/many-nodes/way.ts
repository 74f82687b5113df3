import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way through a network that may be cut, hang or be slow. */
export class Way {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #waiting: (() => void)[] = [];
  readonly #target: () => number;
  #is: 'cut' | 'hanging' | 'open' = 'open';
  #delayMs = 0;

  private constructor(server: Server, target: () => number) {
    this.#server = server;
    this.#target = target;
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', socket => this.#join(socket));
  }

  /** To this port of the machine, which may be another one later. */
  static async to(target: () => number): Promise<Way> {
    const server = createServer({ allowHalfOpen: false });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Way(server, target);
  }

  /** Connections end, and new ones are refused. */
  cut(): void {
    this.#is = 'cut';
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Connections stay, and nothing comes through. */
  hang(): void {
    this.#is = 'hanging';
  }

  /** What comes is passed on so much later, one piece after the other. */
  slow(ms: number): void {
    this.#delayMs = ms;
  }

  heal(): void {
    this.#is = 'open';
    this.#delayMs = 0;
    for (const goOn of this.#waiting.splice(0)) goOn();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise(done => this.#server.close(done));
  }

  #join(near: Socket): void {
    if (this.#is === 'cut') return void near.destroy();
    const far = connect(this.#target(), '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.setNoDelay(true);
      from.on('error', () => {});
      from.once('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      void this.#pass(from, to);
    }
  }

  async #pass(from: Socket, to: Socket): Promise<void> {
    try {
      for await (const piece of from) {
        while (this.#is === 'hanging') await new Promise<void>(goOn => this.#waiting.push(goOn));
        if (this.#delayMs > 0) await new Promise(goOn => setTimeout(goOn, this.#delayMs));
        if (!to.writable) return;
        if (!to.write(piece as Buffer)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
      }
      to.end();
    } catch {
      // Either side has gone; `close` ends the other one.
    }
  }
}
