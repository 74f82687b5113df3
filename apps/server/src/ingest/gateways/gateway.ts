import type { Context } from '../../context.ts';
import type { IngestMetrics } from '../metrics.ts';
import type { Pipeline } from '../pipeline.ts';
import type { Reception } from '../reception.ts';
import type { UnknownFrames } from '../unknown-frames.ts';
import type { DeviceConnections } from './device-connections.ts';
import type { Limits } from './limits.ts';

/** What every gateway is given. */
export interface GatewayParts {
  readonly host: string;
  readonly log: Context['log'];
  readonly metrics: IngestMetrics;
  readonly pipeline: Pipeline;
  readonly reception: Reception;
  readonly connections: DeviceConnections;
  readonly limits: Limits;
  readonly unknownFrames: Pick<UnknownFrames, 'seen'>;
}

/** A listening gateway. */
export interface Gateway {
  readonly port: number;
  /** Takes no new connection; those that are open stay, for what they wait for. */
  stopListening(): void;
  /** Ends what is open. */
  close(): void;
}
