import type { Context } from '../../context.ts';
import type { IngestMetrics } from '../metrics.ts';
import type { Pipeline } from '../pipeline.ts';
import type { Reception } from '../reception.ts';
import type { UnknownFrames } from '../unknown-frames.ts';
import type { DeviceConnections } from './device-connections.ts';
import type { Limits } from './limits.ts';

/** What every gateway gets. */
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
  /** Accepts no new connection; open ones stay for the answers they wait for. */
  stopListening(): void;
  /** Closes open connections. */
  close(): void;
}
