import type { Writable } from 'node:stream';
import mqttPacket from 'mqtt-packet';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { LiveMessages } from '../ingest/live-messages.ts';
import { NewestOnly } from './newest-only.ts';

export interface Subscriber {
  readonly accountId: number;
  readonly stream: Writable;
}

/**
 * Carries live messages from the pipeline to the subscribers, past the broker's own queues: these hold every message for
 * the slowest reader. A packet is encoded once for all; a subscriber gets one write a batch.
 */
export interface FanOut extends LiveMessages {
  subscribe(topic: string, subscriber: Subscriber): void;
  unsubscribe(topic: string, subscriber: Subscriber): void;
  /** This subscriber's topics. */
  topicsOf(subscriber: Subscriber): readonly string[];
  /** Ends all subscriptions of this subscriber. */
  leave(subscriber: Subscriber): void;
  /** Ends all subscriptions to this topic except this account's. */
  revoke(topic: string, except: number | null): void;
}

interface Listening {
  readonly subscriber: Subscriber;
  readonly newest: NewestOnly;
  readonly topics: Set<string>;
}

export function createFanOut(registry: Registry): FanOut {
  const byTopic = new Map<string, Set<Listening>>();
  const bySubscriber = new Map<Subscriber, Listening>();
  const sent = new Counter({
    name: 'milepost_live_messages_total',
    help: 'Live messages handed to subscribers',
    registers: [registry],
  });
  const dropped = new Counter({
    name: 'milepost_live_messages_superseded_total',
    help: 'Live messages that a slow subscriber never got, because a newer one came first',
    registers: [registry],
  });
  new Gauge({
    name: 'milepost_live_subscribers',
    help: 'Connections that listen to at least one vehicle',
    registers: [registry],
    collect() {
      this.set(bySubscriber.size);
    },
  });

  const listeningOf = (subscriber: Subscriber): Listening => {
    const known = bySubscriber.get(subscriber);
    if (known) return known;
    const newest = new NewestOnly(subscriber.stream, packets => dropped.inc(packets));
    const listening: Listening = { subscriber, newest, topics: new Set() };
    bySubscriber.set(subscriber, listening);
    return listening;
  };
  const forget = (topic: string, listening: Listening): void => {
    listening.topics.delete(topic);
    const listeners = byTopic.get(topic);
    listeners?.delete(listening);
    if (listeners?.size === 0) byTopic.delete(topic);
    if (listening.topics.size > 0) return;
    listening.newest.stop();
    bySubscriber.delete(listening.subscriber);
  };

  return {
    isWatched: topic => byTopic.has(topic),
    subscribe: (topic, subscriber) => {
      const listening = listeningOf(subscriber);
      listening.topics.add(topic);
      const listeners = byTopic.get(topic);
      if (listeners) listeners.add(listening);
      else byTopic.set(topic, new Set([listening]));
    },
    unsubscribe: (topic, subscriber) => {
      const listening = bySubscriber.get(subscriber);
      if (listening) forget(topic, listening);
    },
    topicsOf: subscriber => [...(bySubscriber.get(subscriber)?.topics ?? [])],
    leave: subscriber => {
      const listening = bySubscriber.get(subscriber);
      if (listening) for (const topic of [...listening.topics]) forget(topic, listening);
    },
    revoke: (topic, except) => {
      for (const listening of [...(byTopic.get(topic) ?? [])]) {
        if (listening.subscriber.accountId !== except) forget(topic, listening);
      }
    },
    publish: messages => {
      const addressed = new Set<NewestOnly>();
      for (const { topic, accountId, kind, payload } of messages) {
        const listeners = byTopic.get(topic);
        if (!listeners) continue;
        const packet = encode(topic, payload);
        const key = `${topic} ${kind}`;
        let receivers = 0;
        for (const { subscriber, newest } of listeners) {
          if (subscriber.accountId !== accountId) continue;
          newest.offer(key, packet);
          addressed.add(newest);
          receivers++;
        }
        if (receivers > 0) sent.inc(receivers);
      }
      for (const newest of addressed) newest.flush();
    },
  };
}

const encode = (topic: string, payload: string): Buffer =>
  mqttPacket.generate({ cmd: 'publish', topic, payload, qos: 0, retain: false, dup: false });
