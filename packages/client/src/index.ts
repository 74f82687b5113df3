export {
  type Connectivity,
  type ConnectivityMonitor,
  type ConnectivityOptions,
  createConnectivityMonitor,
  type OfflineCause,
} from './connectivity/connectivity.ts';
export type { PageSignals } from './connectivity/page-signals.ts';
export { NetworkError, ProblemError } from './http/errors.ts';
export {
  type CallInput,
  type CallOptions,
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
} from './http/http-client.ts';
export { createLiveMessaging, type LiveMessaging, type LiveMessagingOptions } from './live/live-messaging.ts';
export { LIVE_PHASES, LIVE_STATES, type LiveState } from './live/transitions.ts';
export {
  createSockets,
  SocketError,
  type SocketState,
  type Sockets,
  type SocketsOptions,
} from './sockets/sockets.ts';
