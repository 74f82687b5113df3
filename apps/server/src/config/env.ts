/** Every variable that Milepost reads. This file is the only one that sees `process.env`. */
export const VARIABLES = [
  'PORT',
  'HOST',
  'DATA_DIR',
  'DATABASE_URL',
  'REDIS_URL',
  'MQTT_PORT',
  'GATEWAYS',
  'DEMO',
  'OWNER_NAME',
  'OWNER_PASSWORD',
  'PUBLIC_URL',
  'TRUSTED_PROXIES',
  'METRICS_TOKEN',
  'SMTP_URL',
  'MAP_STYLE_URL',
  'MAP_TILE_URL',
  'GEOCODER_URL',
  'LOG_LEVEL',
  'NODE_ENV',
] as const;

export type Environment = { readonly [name in (typeof VARIABLES)[number]]?: string };

/** As text; a variable that is set to nothing counts as not set, which is how compose files and shells unset one. */
export function readEnvironment(): Environment {
  return Object.fromEntries(
    VARIABLES.flatMap(name => {
      const value = process.env[name]?.trim();
      return value ? [[name, value]] : [];
    }),
  );
}
