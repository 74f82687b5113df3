import { protocols } from '@milepost/decoders';
import type { GatewayName } from '../../config/config.ts';
import type { Gateway, GatewayParts } from './gateway.ts';
import { listenHttp } from './http-gateway.ts';
import { listenTcp } from './tcp-gateway.ts';
import { listenUdp } from './udp-gateway.ts';

export interface Gateways {
  /** The ports in use, by protocol; a protocol that speaks TCP and UDP has both on one number. */
  readonly ports: ReadonlyMap<GatewayName, number>;
  stopListening(): void;
  close(): void;
}

/** How often to look for a number that is free for both TCP and UDP. */
const ATTEMPTS = 20;

/** All transports of a protocol on one port number; 0 means any free one. */
async function listen(name: GatewayName, wanted: number, parts: GatewayParts): Promise<Gateway[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await listenOn(name, wanted, parts);
    } catch (error) {
      // Another program may use the TCP port's number for UDP.
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (wanted !== 0 || !isTaken || attempt === ATTEMPTS) throw error;
    }
  }
}

async function listenOn(name: GatewayName, wanted: number, parts: GatewayParts): Promise<Gateway[]> {
  const { stream, datagram, http } = protocols[name];
  const opened: Gateway[] = [];
  const port = (): number => opened[0]?.port ?? wanted;
  try {
    if (stream) opened.push(await listenTcp(name, stream, port(), parts));
    if (datagram) opened.push(await listenUdp(name, datagram, port(), parts));
    if (http) opened.push(await listenHttp(name, http, port(), parts));
    return opened;
  } catch (error) {
    for (const gateway of opened) {
      gateway.stopListening();
      gateway.close();
    }
    throw error;
  }
}

/** Opens the gateways of the configuration: all of them, or none and the error. */
export async function startGateways(wanted: ReadonlyMap<GatewayName, number>, parts: GatewayParts): Promise<Gateways> {
  const gateways: Gateway[] = [];
  const ports = new Map<GatewayName, number>();
  const stopListening = (): void => {
    for (const gateway of gateways) gateway.stopListening();
  };
  const close = (): void => {
    for (const gateway of gateways) gateway.close();
  };
  try {
    for (const [name, port] of wanted) {
      const opened = await listen(name, port, parts);
      gateways.push(...opened);
      ports.set(name, opened[0]?.port ?? port);
      parts.log.info({ gateway: name, port: ports.get(name) }, 'Listening for trackers');
    }
  } catch (error) {
    stopListening();
    close();
    throw error;
  }
  return { ports, stopListening, close };
}
