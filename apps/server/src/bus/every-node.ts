import type { SignalMap, Signals } from '../lifecycle/signals.ts';
import type { Bus } from './bus.ts';

/**
 * Handles a signal of this node, and the same signal of the others, which must survive JSON. For what is told to whoever
 * is connected here; what writes to the database listens to its own node only. One handler for each signal.
 */
export function onEveryNode<K extends keyof SignalMap>(
  { bus, signals }: { readonly bus: Bus; readonly signals: Signals },
  name: K,
  handler: (event: SignalMap[K]) => void,
): () => void {
  const subject = `signal.${name}`;
  const ends = [
    signals.on(name, event => {
      handler(event);
      if (bus.isShared) bus.publish(subject, JSON.stringify(event));
    }),
    bus.listen(subject, (payload, from) => {
      if (from !== bus.nodeId) handler(JSON.parse(payload) as SignalMap[K]);
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
