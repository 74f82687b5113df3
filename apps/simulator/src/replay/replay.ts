import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Recording } from './recording.ts';

export interface ReplayPlan {
  readonly host: string;
  readonly port: number;
  /** 1 plays at the recording's speed, 10 at ten times that. */
  readonly speed: number;
  /** How long to listen after the last frame. */
  readonly timeoutMs: number;
}

/** The number of frames sent, and the server's answers, as text or hexadecimal. */
export interface Replayed {
  readonly sent: number;
  readonly answers: readonly string[];
}

type Connection = { send(bytes: Buffer): Promise<void>; close(): void };

/** Plays a recording to a gateway, frame by frame, byte for byte. */
export async function replay(recording: Recording, plan: ReplayPlan, say: (text: string) => void): Promise<Replayed> {
  const answers: string[] = [];
  const onData = (bytes: Buffer): void => {
    answers.push(legible(bytes));
    say(`« ${legible(bytes)}`);
  };
  const connection = await open(recording, plan, onData);
  let before = 0;
  let sent = 0;
  for (const { atMs, bytes } of recording.frames) {
    await sleep(Math.max(0, (atMs - before) / plan.speed));
    before = atMs;
    say(`» ${legible(bytes)}`);
    await connection.send(bytes);
    sent++;
  }
  await sleep(plan.timeoutMs);
  connection.close();
  return { sent, answers };
}

function open(recording: Recording, { host, port }: ReplayPlan, onData: (bytes: Buffer) => void): Promise<Connection> {
  if (recording.over === 'http') return Promise.resolve(overHttp(host, port, onData));
  return recording.over === 'udp' ? Promise.resolve(overUdp(host, port, onData)) : overTcp(host, port, onData);
}

function overTcp(host: string, port: number, onData: (bytes: Buffer) => void): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true });
    let ended = false;
    socket.on('data', onData);
    socket.once('error', reject);
    socket.once('close', () => {
      ended = true;
    });
    socket.once('connect', () =>
      resolve({
        send: async bytes => {
          if (ended)
            throw new Error('The server closed the connection: no vehicle has this tracker, or it could not be read.');
          socket.write(bytes);
        },
        close: () => socket.destroy(),
      }),
    );
  });
}

function overUdp(host: string, port: number, onData: (bytes: Buffer) => void): Connection {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  socket.on('message', onData);
  return {
    send: bytes =>
      new Promise((resolve, reject) => socket.send(bytes, port, host, error => (error ? reject(error) : resolve()))),
    close: () => socket.close(),
  };
}

function overHttp(host: string, port: number, onData: (bytes: Buffer) => void): Connection {
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    send: async bytes => {
      const answer = await fetch(`http://${name}:${port}/?${bytes.toString('latin1')}`, { method: 'POST' });
      onData(Buffer.from(`${answer.status} ${await answer.text()}`.trim()));
    },
    close: () => {},
  };
}

function legible(bytes: Buffer): string {
  const isText = bytes.every(byte => (byte >= 0x20 && byte < 0x7f) || byte === 0x0d || byte === 0x0a);
  return isText ? bytes.toString('latin1').trimEnd() : bytes.toString('hex');
}
