import type { VehicleEvents } from '@milepost/contract';

type Handler<E extends keyof VehicleEvents> = (payload: VehicleEvents[E]) => void;

const handlers = new Map<string, Set<Handler<never>>>();

/**
 * Listens to an event of the `/eld` namespace. Returns a function that stops it. This doesn't load or open the sockets.
 */
export function onVehicleEvent<E extends keyof VehicleEvents>(event: E, handler: Handler<E>): () => void {
  const ofEvent = handlers.get(event) ?? new Set();
  handlers.set(event, ofEvent.add(handler as Handler<never>));
  return () => void ofEvent.delete(handler as Handler<never>);
}

export function emitVehicleEvent(event: string, payload: unknown): void {
  for (const handler of handlers.get(event) ?? []) handler(payload as never);
}
