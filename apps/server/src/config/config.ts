import { PROTOCOL_NAMES, type ProtocolName } from '@milepost/decoders';
import type { PoolConfig } from 'pg';

/** What Milepost decided to do, from the environment and what is already there. Nothing else reads `process.env`. */
export interface Config {
  readonly version: string;
  readonly http: {
    readonly host: string;
    readonly port: number;
    readonly publicUrl: string;
    /** Addresses and networks (CIDR) whose word on who called is taken (X-Forwarded-For); of nobody when empty. */
    readonly trustedProxies: readonly string[];
  };
  readonly dataDir: string;
  /** An external PostgreSQL, or null for the embedded one in `dataDir`. */
  readonly databaseUrl: string | null;
  /** MQTT over TCP for trackers; null when off. */
  readonly mqttPort: number | null;
  /** Ports of the gateways that listen, by protocol. */
  readonly gateways: ReadonlyMap<GatewayName, number>;
  /** `auto` is on when an embedded database is empty or was a demo before. */
  readonly demo: 'auto' | 'on' | 'off' | 'public';
  readonly owner: { readonly name: string; readonly password: string } | null;
  readonly map: { readonly styleUrl: string | null; readonly tileUrl: string | null };
  /** Where mail is handed in; null when there is none. */
  readonly smtpUrl: string | null;
  /** Run by `npm run dev`: codes and links that would be emailed are written to the log. */
  readonly development: boolean;
  readonly geocoderUrl: string | null;
  /** What `/metrics` asks for; null where it answers this machine only. */
  readonly metricsToken: string | null;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

/** Every protocol that is decoded has a gateway. */
export const GATEWAY_NAMES: readonly GatewayName[] = PROTOCOL_NAMES;
export type GatewayName = ProtocolName;

export type DatabaseConnection = PoolConfig;
