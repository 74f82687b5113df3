import { basename, join } from 'node:path';
import { SERVER_FLAGS } from '../launch/server-flags.ts';

/** Where an installed service has what. All paths are absolute. */
export interface Service {
  /** The folder with Milepost's code. The service only reads it. */
  readonly code: string;
  readonly node: string;
  /** The embedded database, uploads and secrets: all that the service may write to besides its cache. */
  readonly data: string;
  /** Where it may write its backup, too; a disk that is not mounted keeps it from nothing. */
  readonly backup?: string | undefined;
  /** A file with `NAME=value` lines. */
  readonly settings: string;
  /** The system user that it runs as. */
  readonly user: string;
}

/** Node's compiled code, kept for the next start. It can be deleted at any time. */
export const CACHE = '/var/cache/milepost';

/**
 * The systemd unit: starts with the machine, restarts after a crash, and may touch nothing but its data and its cache.
 * Options are described in systemd.service(5), systemd.exec(5) and systemd.kill(5).
 */
export function serviceUnit({ backup, code, node, data, settings, user }: Service): string {
  const start = [node, ...SERVER_FLAGS, join(code, 'apps/server/src/main.ts')]
    // Only here, a dollar sign begins the name of a variable.
    .map(part => word(part).replaceAll('$', '$$$$'))
    .join(' ');
  return `[Unit]
Description=Milepost fleet tracking
Documentation=${word(`file:${join(code, 'README.md')}`)}
Wants=network-online.target
After=network-online.target postgresql.service
# A tracker that can't reach its server keeps what it has for a while: never stop trying.
StartLimitIntervalSec=0

[Service]
User=${user}
Group=${user}
WorkingDirectory=${text(code)}
Environment=NODE_ENV=production NODE_COMPILE_CACHE=${CACHE} ${word(`DATA_DIR=${data}`)}
EnvironmentFile=-${text(settings)}
ExecStart=${start}
Restart=on-failure
RestartSec=3
# Milepost ends its own database, so only Milepost gets the signal. What is left after this time is killed.
KillMode=mixed
TimeoutStopSec=45
# Each tracker and each browser is an open connection.
LimitNOFILE=65536
UMask=0077

# Ports below 1024 are allowed; nothing else that root can do.
AmbientCapabilities=CAP_NET_BIND_SERVICE
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
NoNewPrivileges=yes
ProtectSystem=strict
ReadWritePaths=${[data, ...(backup ? [`-${backup}`] : [])].map(word).join(' ')}
CacheDirectory=${basename(CACHE)}
CacheDirectoryMode=0700
ProtectHome=read-only
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
LockPersonality=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`;
}

/** For options that take the rest of the line as it is: only specifiers are special. */
const text = (value: string): string => value.replaceAll('%', '%%');

/** For options that take words: quoted, so that spaces, quotes and backslashes stay what they are. */
const word = (value: string): string =>
  /^[\w@/.:=+,-]+$/.test(value) ? value : `"${text(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** The settings file of a new service. It is never overwritten. */
export const NEW_SETTINGS = `# Settings of Milepost, one NAME=value a line; README.md lists them all.
# After a change: systemctl restart milepost

DEMO=off

# The address on which trackers and browsers reach this machine. Without it, only this machine itself can.
#HOST=0.0.0.0
#PORT=8080

# The address that people type, for links in emails. Behind a reverse proxy, also say which address it has.
#PUBLIC_URL=https://fleet.example.com
#TRUSTED_PROXIES=127.0.0.1

# Your mail server, for invitations, password resets and alerts.
#SMTP_URL=smtps://user:password@mail.example.com?from=fleet@example.com

# Your own PostgreSQL (15 or newer) instead of the embedded one.
#DATABASE_URL=postgres://milepost:password@127.0.0.1/milepost
`;
