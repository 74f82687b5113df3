import { gt06, osmand, teltonika, teltonikaUdp } from '@milepost/decoders';
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

/** Who answers at the port of a protocol. */
const LISTENERS: Readonly<Record<GatewayName, (port: number, parts: GatewayParts) => Promise<Gateway[]>>> = {
  teltonika: async (port, parts) => {
    const tcp = await listenTcp('teltonika', teltonika, port, parts);
    try {
      return [tcp, await listenUdp('teltonika', teltonikaUdp, tcp.port, parts)];
    } catch (error) {
      tcp.stopListening();
      throw error;
    }
  },
  gt06: async (port, parts) => [await listenTcp('gt06', gt06, port, parts)],
  osmand: async (port, parts) => [await listenHttp('osmand', osmand, port, parts)],
};

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
      const opened = await LISTENERS[name](port, parts);
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
