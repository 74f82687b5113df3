import type { Duplex } from 'node:stream';
import { createWebSocketStream, type WebSocket, WebSocketServer } from 'ws';
import type { UpgradeHandler } from '../http/upgrade.ts';
import { MQTT_LIMITS } from './connect-rules.ts';

/** The WebSocket side of the broker (MQTT 3.1.1, section 6). The HTTP server has checked path and origin. */
export function acceptWebSockets(take: (stream: Duplex, known: () => void) => void): {
  upgrade: UpgradeHandler;
  close(): void;
} {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MQTT_LIMITS.packetBytes,
    perMessageDeflate: false,
    // [MQTT-6.0.0-3], [MQTT-6.0.0-4]
    handleProtocols: offered => (offered.has('mqtt') ? 'mqtt' : false),
  });
  const open = (webSocket: WebSocket, known: () => void): void => {
    if (server.clients.size > MQTT_LIMITS.connections) webSocket.terminate();
    else take(createWebSocketStream(webSocket), known);
  };
  return {
    upgrade: (request, socket, head, known) =>
      server.handleUpgrade(request, socket, head, webSocket => open(webSocket, known)),
    close: () => {
      for (const webSocket of server.clients) webSocket.close(GOING_AWAY);
      server.close();
    },
  };
}

/** RFC 6455, section 7.4.1. */
const GOING_AWAY = 1001;
