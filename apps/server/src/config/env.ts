/** Every environment variable that Milepost reads. Only this file uses `process.env`. */
export const VARIABLES = [
  'PORT',
  'HOST',
  'DATA_DIR',
  'DATABASE_URL',
  'NATS_URL',
  'MQTT_PORT',
  'GATEWAYS',
  'DEMO',
  'OWNER_NAME',
  'OWNER_PASSWORD',
  'PUBLIC_URL',
  'TRUSTED_PROXIES',
  'METRICS_TOKEN',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_TRACES_SAMPLER_ARG',
  'SEAL_AFTER_DAYS',
  'SMTP_URL',
  'WEBHOOK_HTTP',
  'WEBHOOK_NETWORKS',
  'MAP_STYLE_URL',
  'MAP_TILE_URL',
  'GEOCODER_URL',
  'BACKUP_KEY',
  'BACKUP_S3_ACCESS_KEY',
  'BACKUP_S3_SECRET_KEY',
  'LOG_LEVEL',
  'NODE_ENV',
] as const;

export type Environment = { readonly [name in (typeof VARIABLES)[number]]?: string };

/**
 * Reads the variables as text. An empty variable counts as unset, because compose files and shells unset one that
 * way.
 */
export function readEnvironment(): Environment {
  return Object.fromEntries(
    VARIABLES.flatMap(name => {
      const value = process.env[name]?.trim();
      return value ? [[name, value]] : [];
    }),
  );
}
