import type { Config } from '../config/config.ts';
import { StartupError } from './startup-error.ts';

/** The error for a failure to listen, with the variable to change; null for other failures. */
export function listenFailure(
  error: unknown,
  config: Pick<Config, 'http' | 'mqttPort' | 'gateways'>,
): StartupError | null {
  const { code, syscall, port, hostname } = (error ?? {}) as Partial<NodeJS.ErrnoException> & {
    readonly port?: number;
    readonly hostname?: string;
  };
  const noAddress = new StartupError(
    `HOST is "${config.http.host}", which is no address of this machine. Set it to one, or to 0.0.0.0 for all.`,
  );
  if (syscall === 'getaddrinfo' && hostname === config.http.host) return noAddress;
  if ((syscall !== 'listen' && syscall !== 'bind') || port === undefined) return null;
  const variable = variableOf(port, config);
  switch (code) {
    case 'EADDRINUSE':
      return new StartupError(
        `Port ${port} is in use by another program. End that program, or set ${variable} to another port${exampleOf(variable, port)}.`,
      );
    case 'EACCES':
      return new StartupError(
        `Port ${port} may not be used by this user. Set ${variable} to a port from 1024 on${exampleOf(variable, port)}.`,
      );
    case 'EADDRNOTAVAIL':
      return noAddress;
    default:
      return null;
  }
}

function variableOf(port: number, config: Pick<Config, 'http' | 'mqttPort' | 'gateways'>): string {
  if (port === config.http.port) return 'PORT';
  if (port === config.mqttPort) return 'MQTT_PORT';
  const gateway = [...config.gateways].find(([, gatewayPort]) => gatewayPort === port)?.[0];
  return gateway ? `GATEWAYS (its ${gateway} entry)` : 'PORT';
}

function exampleOf(variable: string, port: number): string {
  const next = port < 1024 ? port + 8000 : port + 1;
  return /^\w+$/.test(variable) ? `, e.g. ${variable}=${next}` : '';
}
