import { z } from 'zod';
import { changesSchema, followChangesSchema } from './changes.ts';
import { commandSchema } from './commands/command.ts';
import type { Permission } from './roles.ts';
import { alertSchema } from './routes/alerts.ts';
import { assignedTaskSchema, taskReceiptSchema } from './sockets/assigned-task.ts';
import { geofenceAlertSchema, registeredVehiclesSchema, registerVehiclesSchema } from './sockets/geofence.ts';

export * from './sockets/assigned-task.ts';
export * from './sockets/geofence.ts';

/**
 * The realtime sockets (Socket.IO): namespaces, constants and events, each with its schema and the permission it needs.
 */

export const SOCKET_NAMESPACES = { vehicleEvents: '/eld', geofence: '/geofence' } as const;
export type SocketNamespace = (typeof SOCKET_NAMESPACES)[keyof typeof SOCKET_NAMESPACES];

/** On the HTTP server; WebSocket only. The session's token is sent in the handshake's `auth`, never in the URL. */
export const SOCKET_PATH = '/socket.io';

/** Constants of a client's connection [R9.06], in milliseconds. */
export const SOCKETS = {
  reconnectionDelay: 1000,
  reconnectionDelayMax: 5000,
  randomizationFactor: 0.5,
  timeout: 20_000,
} as const;

/** What a client sends when it connects to a namespace. */
export const socketAuthSchema = z.object({ token: z.string().min(1).max(512) });

/** Why a connection is refused. `signed-out`: the session does not exist, or has ended. */
export const SOCKET_REFUSALS = ['signed-out', 'too-many-connections', 'unavailable'] as const;
export type SocketRefusal = (typeof SOCKET_REFUSALS)[number];

/** Who receives an event: users who can see the vehicle, the driver alone, or everyone who follows the account. */
export type ToldAbout = 'vehicle' | 'driver' | 'account';

export interface ToldEvent {
  readonly about: ToldAbout;
  /** The permission a session needs to receive it; null for the user's own data. */
  readonly access: Permission | null;
  readonly payload: z.ZodType;
}

export interface AskedEvent {
  /** The permission a session needs to send it; null for the user's own data. */
  readonly access: Permission | null;
  readonly payload: z.ZodType;
  readonly answer: z.ZodType;
}

export interface NamespaceEvents {
  /** Sent by the server. */
  readonly told: Readonly<Record<string, ToldEvent>>;
  /** Sent by the client, and answered. */
  readonly asked: Readonly<Record<string, AskedEvent>>;
}

/** Every event on the sockets. The cross-account test tries each of them. */
export const SOCKET_EVENTS = {
  '/eld': {
    told: {
      /** An alert began, repeated, ended or was acknowledged. */
      alert_changed: { about: 'vehicle', access: 'alerts.read', payload: alertSchema },
      /** A command's state changed. */
      command_changed: { about: 'vehicle', access: 'commands.read', payload: commandSchema },
      /** A task for the signed-in driver [R7.36]. */
      assignedTaskToDriver: { about: 'driver', access: null, payload: assignedTaskSchema },
      /** Account data changed; contains only what the recipient may know (`CHANGE_KINDS`). */
      changes: { about: 'account', access: null, payload: changesSchema },
    },
    asked: {
      /** Starts sending `changes`; answers with everything changed since. */
      follow_changes: { access: null, payload: followChangesSchema, answer: changesSchema },
      /** Assigns a task to a driver; answers with the number of their connections that received it. */
      assignedTaskToDriver: { access: 'tasks.write', payload: assignedTaskSchema, answer: taskReceiptSchema },
    },
  },
  '/geofence': {
    told: {
      /** A registered vehicle entered or left one of its geofences, or one of both was deleted [R7.37, R7.38]. */
      geofence_alert: { about: 'vehicle', access: 'vehicles.read', payload: geofenceAlertSchema },
    },
    asked: {
      /** The vehicles a client wants events for; the list only narrows what the user can see. */
      register_vehicles: { access: 'vehicles.read', payload: registerVehiclesSchema, answer: registeredVehiclesSchema },
    },
  },
} as const satisfies Record<SocketNamespace, NamespaceEvents>;

/** What the server sends, by name: a client listens to these, and needs none of their schemas. */
export const TOLD_EVENTS = {
  '/eld': ['alert_changed', 'command_changed', 'assignedTaskToDriver', 'changes'],
  '/geofence': ['geofence_alert'],
} as const satisfies { readonly [N in SocketNamespace]: readonly (keyof Told<N>)[] };

type Told<N extends SocketNamespace> = (typeof SOCKET_EVENTS)[N]['told'];
type Asked<N extends SocketNamespace> = (typeof SOCKET_EVENTS)[N]['asked'];

/** What the server sends on a namespace, by event. */
export type ToldOn<N extends SocketNamespace> = {
  readonly [E in keyof Told<N>]: Told<N>[E] extends { readonly payload: infer S extends z.ZodType }
    ? z.infer<S>
    : never;
};

/** What a client can send on a namespace, by event. */
export type AskedOn<N extends SocketNamespace> = {
  readonly [E in keyof Asked<N>]: Asked<N>[E] extends {
    readonly payload: infer P extends z.ZodType;
    readonly answer: infer A extends z.ZodType;
  }
    ? { readonly payload: z.input<P>; readonly answer: z.infer<A> }
    : never;
};

export type VehicleEvents = ToldOn<'/eld'>;

/** The answer to a refused event. */
export const socketRefusalSchema = z.object({
  error: z.object({
    code: z.enum(['not-allowed', 'read-only', 'not-found', 'invalid-input', 'too-many-requests', 'internal']),
    message: z.string(),
  }),
});
export type SocketRefused = z.infer<typeof socketRefusalSchema>;
