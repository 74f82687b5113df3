import { Counter, type Registry } from 'prom-client';

export type BusMetrics = ReturnType<typeof createBusMetrics>;

export function createBusMetrics(registry: Registry) {
  const counter = (name: string, help: string): Counter =>
    new Counter({ name: `milepost_bus_${name}_total`, help, registers: [registry] });
  return {
    published: counter('published', 'Messages sent to the other nodes'),
    received: counter('received', 'Messages received from the other nodes'),
    dropped: counter('dropped', 'Messages that did not leave this node, because the bus was away or too slow'),
    reconnected: counter('reconnected', 'How often the bus was connected again after it was lost'),
  };
}
