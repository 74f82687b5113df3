import type { Logger } from 'pino';
import type { SignalMap, Signals } from '../context.ts';

export function createSignals(log: Logger): Signals {
  const handlers: { readonly [K in keyof SignalMap]: Set<(event: SignalMap[K]) => void> } = {
    'sessions-ended': new Set(),
    'users-changed': new Set(),
    'vehicle-changed': new Set(),
    'vehicles-arranged': new Set(),
    'organisation-changed': new Set(),
    'positions-committed': new Set(),
    'tracker-reachable': new Set(),
    'tracker-contradicted': new Set(),
    'tracker-replied': new Set(),
    'command-delivered': new Set(),
    'command-changed': new Set(),
    'driver-changed': new Set(),
    'alert-changed': new Set(),
    'geofence-alert': new Set(),
  };
  return {
    on: (name, handler) => {
      handlers[name].add(handler);
      return () => void handlers[name].delete(handler);
    },
    emit: (name, event) => {
      for (const handler of handlers[name]) {
        try {
          handler(event);
        } catch (error) {
          // What one module does with a signal is not the sender's failure.
          log.error({ err: error, signal: name }, 'A signal handler failed');
        }
      }
    },
  };
}
