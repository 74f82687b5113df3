import { PROTOCOL_NAMES, type ProtocolName } from '@milepost/decoders';
import type { PoolConfig } from 'pg';

/** Milepost's configuration, from the environment and existing data. No other code reads `process.env`. */
export interface Config {
  readonly version: string;
  readonly http: {
    readonly host: string;
    readonly port: number;
    readonly publicUrl: string;
    /** Addresses and networks (CIDR) trusted to report the caller's address (X-Forwarded-For); none when empty. */
    readonly trustedProxies: readonly string[];
  };
  readonly dataDir: string;
  /** An external PostgreSQL, or null for the embedded one in `dataDir`. */
  readonly databaseUrl: string | null;
  /** The live bus between the servers of a database; null for one server. */
  readonly natsUrl: string | null;
  /** MQTT over TCP for trackers; null when off. */
  readonly mqttPort: number | null;
  /** Ports of the gateways that listen, by protocol. */
  readonly gateways: ReadonlyMap<GatewayName, number>;
  /** `auto` is on when an embedded database is empty or was a demo before. */
  readonly demo: 'auto' | 'on' | 'off' | 'public';
  readonly owner: { readonly name: string; readonly password: string } | null;
  readonly map: { readonly styleUrl: string | null; readonly tileUrl: string | null };
  /** The SMTP server for outgoing mail; null if there is none. */
  readonly smtpUrl: string | null;
  /** What webhooks may do beyond sending to `https://` addresses on the public internet. */
  readonly webhooks: {
    /** Whether they may be sent to `http://`. */
    readonly http: boolean;
    /** Addresses and networks (CIDR) to which they may be sent though they are private. */
    readonly networks: readonly string[];
  };
  /** Run by `npm run dev`: codes and links that would be emailed are written to the log. */
  readonly development: boolean;
  readonly geocoderUrl: string | null;
  /** A vehicle's day of positions is packed this many days after its end; at least 2. */
  readonly sealAfterDays: number;
  /** The token that `/metrics` requires; null to answer only this machine. */
  readonly metricsToken: string | null;
  /** Where traces are sent, and the part of messages that are traced; null if none is. */
  readonly traces: { readonly url: string; readonly ratio: number } | null;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

/** Every decoded protocol has a gateway. */
export const GATEWAY_NAMES: readonly GatewayName[] = PROTOCOL_NAMES;
export type GatewayName = ProtocolName;

export type DatabaseConnection = PoolConfig;
