import { z } from 'zod';
import { newPasswordSchema, personNameSchema, userNameSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { preferencesSchema } from '../preferences.ts';
import { PERMISSIONS, ROLES } from '../roles.ts';
import { defineRoute } from '../route.ts';

const TAG = 'Accounts';

export const credentialsSchema = z.object({
  userName: z
    .string({ error: issue('sign-in-name') })
    .trim()
    .min(1, issue('sign-in-name'))
    .max(254, issue('sign-in-name')),
  password: z
    .string({ error: issue('password') })
    .min(1, issue('password'))
    .max(128, issue('password')),
  /** Second factor, if the user has one. */
  code: z.string().trim().max(32).optional(),
  /** Longer session on this device: 30 days instead of 12 hours. */
  keepSignedIn: z.boolean().optional(),
});
export type Credentials = z.infer<typeof credentialsSchema>;

export const signInAnswerSchema = z.object({
  token: z.string().describe('Opaque bearer token'),
  expiresAt: z.iso.datetime(),
});

/** What a browser needs to open live messaging: MQTT over WebSocket at `path` [R6.02]. */
export const messagingCredentialSchema = z.object({
  path: z.literal('/mqtt'),
  clientIdPrefix: z.string().describe('The user id; add a suffix of your own for each tab'),
  userName: z.string(),
  password: z.string().describe('A credential of this session; refused once the session ends'),
});
export type MessagingCredential = z.infer<typeof messagingCredentialSchema>;

/** The folders and departments a user is limited to. */
export const scopeSchema = z.strictObject({
  folderIds: z.array(z.string().regex(/^[1-9]\d{0,9}$/, issue('id'))).max(500),
  departmentIds: z.array(z.string().regex(/^[1-9]\d{0,9}$/, issue('id'))).max(500),
});
export type Scope = z.infer<typeof scopeSchema>;

/** What a user must do before anything else is allowed. */
export const DUTIES = ['change-password', 'set-up-second-factor'] as const;
export type Duty = (typeof DUTIES)[number];

export const meSchema = z
  .object({
    id: z.string(),
    userName: z.string(),
    displayName: z.string(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    /** 1 means male, any other value not male [R3.01]. */
    gender: z.int(),
    /** File name under `/api/v1/uploaded-img/`, or null. */
    image: z.string().nullable(),
    role: z.enum(ROLES),
    /** The account's custom role; its permissions replace those of the role. */
    customRole: z.object({ id: z.string(), name: z.string() }).nullable(),
    /** The permissions of this session, used to show and hide controls. */
    permissions: z.array(z.enum(PERMISSIONS)),
    /** Null: the whole account. */
    scope: scopeSchema.nullable(),
    readOnly: z.boolean(),
    duty: z
      .enum(DUTIES)
      .nullable()
      .describe('What the user has to do first; until then the session can do nothing else'),
    preferences: preferencesSchema,
    account: z.object({
      id: z.string(),
      name: z.string(),
      demo: z.boolean(),
      operator: z.boolean().describe('This account runs the installation'),
    }),
    messaging: messagingCredentialSchema,
  })
  .meta({ id: 'Me' });
export type Me = z.infer<typeof meSchema>;

export const signIn = defineRoute({
  method: 'POST',
  path: '/api/v1/signin',
  access: 'public',
  summary: 'Sign in with a user name or email and a password',
  tag: TAG,
  body: credentialsSchema,
  response: signInAnswerSchema,
  problems: ['wrong-credentials', 'second-factor-needed', 'wrong-code', 'sign-on-only', 'too-many-tries'],
});

export const signOut = defineRoute({
  method: 'POST',
  path: '/api/v1/signout',
  access: 'signed-in',
  summary: 'End this session and every connection that it opened',
  tag: TAG,
  response: z.object({
    ok: z.literal(true),
    next: z.string().nullable().describe('Where the provider of single sign-on ends its session, too'),
  }),
});

export const readMe = defineRoute({
  method: 'GET',
  path: '/api/v1/read_me',
  access: 'signed-in',
  summary: 'Read the signed-in user',
  tag: TAG,
  response: meSchema,
});

export const checkInternetStatus = defineRoute({
  method: 'GET',
  path: '/api/v1/check_internet_status',
  access: 'public',
  summary: 'Answer 200 as long as this server can be reached',
  tag: TAG,
  response: z.object({ status: z.literal('ok') }),
});

export const readClientSettings = defineRoute({
  method: 'GET',
  path: '/api/v1/client_settings',
  access: 'public',
  summary: 'Read what the app needs before anyone signs in',
  tag: TAG,
  response: z.object({
    version: z.string(),
    appName: z.string(),
    /** Sign-in with the demo account is possible; the password is printed by the server, never sent. */
    demo: z.boolean(),
    /** Anyone can enter the demo as a read-only visitor. */
    demoVisit: z.boolean(),
    /** Nobody can sign in yet: the owner is created with the link that the server printed at its start. */
    needsOwner: z.boolean(),
    /** The text of the button for single sign-on; null without. */
    signOn: z.string().nullable(),
  }),
});

export const firstOwnerSchema = z.strictObject({
  /** The secret of the link. */
  token: z.string().regex(/^[\w-]{43}$/, issue('owner-link')),
  userName: userNameSchema,
  displayName: personNameSchema.optional(),
  password: newPasswordSchema,
});

export const createFirstOwner = defineRoute({
  method: 'POST',
  path: '/api/v1/first_owner',
  access: 'public',
  summary: 'Create the owner of a new installation with the link that the server printed, and sign in',
  tag: TAG,
  body: firstOwnerSchema,
  response: signInAnswerSchema,
  problems: ['owner-link-over', 'too-many-tries'],
});
