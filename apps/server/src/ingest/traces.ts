import type { TrackerProtocol } from '@milepost/contract';
import type { EpochMs } from '@milepost/units';
import { type Attributes, context, type Span, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import type { Config } from '../config/config.ts';

/** Traces of messages on their way from a tracker's socket to the browsers' sockets; docs/monitoring.md. */
export interface Traces {
  /** Null for a message that is not traced. */
  begin(protocol: TrackerProtocol, positions: number, receivedAt: EpochMs): MessageTrace | null;
  /** Sends what is left, for a moment. */
  stop(): Promise<void>;
}

/** Never longer than it takes the rest of the server to stop. */
const STOP_MS = 2000;

export const NO_TRACES: Traces = { begin: () => null, stop: async () => {} };

/** Nothing of OpenTelemetry is loaded without an address to send to. */
export async function openTraces({ traces, version }: Pick<Config, 'traces' | 'version'>): Promise<Traces> {
  if (traces === null) return NO_TRACES;
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { BatchSpanProcessor, TracerProvider } = await import('@opentelemetry/sdk-trace');
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const exporter = new OTLPTraceExporter({ url: traces.url });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'milepost', 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('milepost');
  return {
    begin: (protocol, positions, receivedAt) =>
      Math.random() < traces.ratio ? new MessageTrace(tracer, protocol, positions, receivedAt) : null,
    stop: async () => {
      const late = new Promise(resolve => void setTimeout(resolve, STOP_MS).unref());
      await Promise.race([provider.shutdown().catch(() => {}), late]);
    },
  };
}

/** One message: a span for the whole way and one for each step, which begins where the one before it ended. */
export class MessageTrace {
  readonly #tracer: Tracer;
  readonly #whole: Span;
  #reachedMs: number;

  /** Neither vehicles nor places are named: traces are for those who run the server. */
  constructor(tracer: Tracer, protocol: TrackerProtocol, positions: number, receivedAt: EpochMs) {
    this.#tracer = tracer;
    this.#reachedMs = receivedAt;
    const attributes = { 'milepost.protocol': protocol, 'milepost.positions': positions };
    this.#whole = tracer.startSpan('message', { root: true, startTime: receivedAt, attributes });
  }

  /** A step of the way has ended. */
  step(name: 'decode' | 'wait' | 'commit' | 'publish', attributes: Attributes = {}): void {
    const endedMs = Math.max(this.#reachedMs, performance.timeOrigin + performance.now());
    const within = trace.setSpan(context.active(), this.#whole);
    this.#tracer.startSpan(name, { startTime: this.#reachedMs, attributes }, within).end(endedMs);
    this.#reachedMs = endedMs;
  }

  /** It is published, or why it never will be. */
  end(refusal: string | null = null): void {
    if (refusal !== null) this.#whole.setStatus({ code: SpanStatusCode.ERROR, message: refusal });
    this.#whole.end(this.#reachedMs);
  }
}
