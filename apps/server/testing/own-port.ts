import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Systems give connections ports above these (32768 on Linux, 49152 elsewhere), and known services have those below. */
const LOWEST = 12_000;
const HIGHEST = 32_000;

let last = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));

/**
 * A port that is free for TCP and UDP, and stays free while its server restarts: one that the system had chosen could
 * be given to any connection meanwhile.
 */
export async function ownPort(): Promise<number> {
  do last = last < HIGHEST ? last + 1 : LOWEST;
  while (!(await isFree(last)));
  return last;
}

/** A port of its own for each of the names. */
export async function ownPorts<Name>(names: Iterable<Name>): Promise<Map<Name, number>> {
  const ports = new Map<Name, number>();
  for (const name of names) ports.set(name, await ownPort());
  return ports;
}

/** For TCP and UDP. */
export async function isFree(port: number): Promise<boolean> {
  const tcp = createServer();
  const udp = createSocket('udp4');
  try {
    tcp.listen(port, '127.0.0.1');
    await once(tcp, 'listening');
    udp.bind(port, '127.0.0.1');
    await once(udp, 'listening');
    await new Promise(closed => udp.close(() => closed(null)));
    return true;
  } catch {
    return false;
  } finally {
    if (tcp.listening) await new Promise(closed => tcp.close(closed));
  }
}
