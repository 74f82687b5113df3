import { createLiveMessaging, LIVE_PHASES, type LiveMessaging } from '@milepost/client';
import type { DeviceMessage, MessagingCredential } from '@milepost/contract';
import { Coalescer } from '../coalescer.ts';
import type { FromWorker, ToWorker } from './protocol.ts';

/**
 * The live connection in a worker, so that sockets, MQTT, JSON and collecting messages don't slow down the page. One
 * batch is sent at a time. While the page is drawing or the tab is hidden, messages wait here in a bounded buffer.
 */

declare const self: DedicatedWorkerGlobalScope;

const coalescer = new Coalescer();
let messaging: LiveMessaging | null = null;
let isPageReady = true;
let isFlushing = false;
let answerCredential: ((credential: MessagingCredential | null | undefined) => void) | null = null;

const tell = (message: FromWorker): void => self.postMessage(message);

function flush(): void {
  if (!isPageReady || isFlushing || coalescer.isEmpty) return;
  isFlushing = true;
  // Send everything that one socket read brought as one batch.
  queueMicrotask(() => {
    isFlushing = false;
    if (!isPageReady || coalescer.isEmpty) return;
    isPageReady = false;
    tell({ kind: 'batch', batch: coalescer.take() });
  });
}

function onMessage(message: DeviceMessage): void {
  if (message.action === 'positionReport') {
    const { action: _, ...report } = message;
    coalescer.addReport(report);
  } else {
    coalescer.addState(message.imei, message.live);
  }
  flush();
}

const getCredential = (): Promise<MessagingCredential | null> =>
  new Promise((resolve, reject) => {
    answerCredential = credential => {
      if (credential === undefined) reject(new Error('The server gave no credential.'));
      else resolve(credential);
    };
    tell({ kind: 'credential-wanted' });
  });

function connect(origin: string): void {
  messaging ??= createLiveMessaging({
    origin,
    getCredential,
    onMessage,
    onState: state => {
      if (state !== 'connected') coalescer.clear();
      tell({ kind: 'phase', phase: LIVE_PHASES[state] });
    },
    onSubscribed: () => tell({ kind: 'subscribed' }),
  });
  messaging.connect();
}

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  switch (data.kind) {
    case 'connect':
      return connect(data.origin);
    case 'disconnect':
      return messaging?.disconnect();
    case 'wake':
      return messaging?.wake();
    case 'subscribe':
      return messaging?.subscribe(data.imeis);
    case 'unsubscribe':
      return messaging?.unsubscribe(data.imeis);
    case 'unsubscribe-all':
      coalescer.clear();
      return messaging?.unsubscribeAll();
    case 'credential':
      return answerCredential?.(data.credential);
    case 'ready':
      isPageReady = true;
      return flush();
  }
};
