import { z } from 'zod';
import {
  emailSchema,
  emptyAsNull,
  genderSchema,
  idSchema,
  instantSchema,
  newPasswordSchema,
  numeric,
  personNameSchema,
  phoneSchema,
  userNameSchema,
  uuidSchema,
} from '../fields.ts';
import { ROLES } from '../roles.ts';
import { defineRoute } from '../route.ts';
import { scopeSchema } from './accounts.ts';
import { invitationSchema } from './invitations.ts';

const TAG = 'Users';

/** `invited` has not accepted the invitation yet; `expired` and `deactivated` can't sign in. */
export const USER_STATES = ['active', 'invited', 'expired', 'deactivated'] as const;
export type UserState = (typeof USER_STATES)[number];

export const userSchema = z
  .object({
    id: z.string(),
    userName: z.string(),
    displayName: z.string(),
    email: z.string().nullable(),
    /** Replaces `email` once the user follows the link sent to it. */
    pendingEmail: z.string().nullable(),
    phone: z.string().nullable(),
    gender: z.int(),
    image: z.string().nullable(),
    role: z.enum(ROLES),
    customRole: z.object({ id: z.string(), name: z.string() }).nullable(),
    /** Null: the whole account. */
    scope: scopeSchema.nullable(),
    state: z.enum(USER_STATES),
    /** When their access ends automatically. */
    expiresAt: z.iso.datetime().nullable(),
    lastSeenAt: z.iso.datetime().nullable().describe('Null for a user who has never signed in'),
    sessions: z.int(),
    secondFactor: z.object({ totp: z.boolean(), passkeys: z.int() }),
    createdAt: z.iso.datetime(),
    createdBy: z.string().nullable().describe('Name of the user who added them'),
    /** Whether the caller can change this user: nobody can change a user with more permissions. */
    editable: z.boolean(),
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof userSchema>;

const params = z.object({ id: uuidSchema });

const profile = {
  displayName: personNameSchema,
  email: emptyAsNull(emailSchema).optional(),
  phone: emptyAsNull(phoneSchema).optional(),
  gender: genderSchema.optional(),
  role: z.enum(ROLES),
  customRoleId: idSchema.nullable().optional().describe('A custom role; `role` is the role it is based on'),
  scope: scopeSchema.nullable().optional(),
  expiresAt: instantSchema.nullable().optional(),
};

export const newUserSchema = z.strictObject({
  userName: userNameSchema,
  ...profile,
  /** The user must change it at the first sign-in. If absent, the user is invited. */
  password: newPasswordSchema.optional(),
});
export type NewUserInput = z.input<typeof newUserSchema>;

export const userChangeSchema = z
  .strictObject({
    userName: userNameSchema,
    ...profile,
    active: z.boolean().describe('false ends every session and refuses new ones'),
    /** The user must change it at the next sign-in; ends every session. */
    password: newPasswordSchema,
  })
  .partial();
export type UserChange = z.input<typeof userChangeSchema>;

export const registerUser = defineRoute({
  method: 'POST',
  path: '/api/v1/register_user',
  access: 'users.write',
  summary: 'Add a user: with a password to be changed at the first sign-in, or with an invitation',
  tag: TAG,
  body: newUserSchema,
  status: 201,
  response: z.object({ data: userSchema, invitation: invitationSchema.nullable() }),
  problems: ['user-name-taken', 'email-taken', 'more-than-you-hold'],
});

export const readMyUsers = defineRoute({
  method: 'GET',
  path: '/api/v1/read_my_users',
  access: 'users.read',
  summary: "List the account's users without yourself",
  tag: TAG,
  query: z.object({
    q: z.string().trim().max(100).optional().describe('Part of a name, user name, email address or phone number'),
    limit: numeric(z.int().min(1).max(1000)).default(1000),
  }),
  response: z.array(userSchema),
});

export const updateMyUser = defineRoute({
  method: 'PATCH',
  path: '/api/v1/update_my_user/{id}',
  access: 'users.write',
  summary: 'Change a user; a new email address of a user who has joined takes effect once it is confirmed',
  tag: TAG,
  params,
  body: userChangeSchema,
  response: z.object({
    data: userSchema,
    invitation: invitationSchema
      .nullable()
      .describe('A new invitation, for the new address of a user who has not joined yet; the previous one has ended'),
  }),
  problems: [
    'not-found',
    'user-name-taken',
    'email-taken',
    'more-than-you-hold',
    'last-owner',
    'that-is-you',
    'too-many-tries',
  ],
});

/** What the user leaves behind when deleted. */
export const dependentsSchema = z.object({
  sessions: z.int(),
  apiTokens: z.int(),
  drivers: z.array(z.object({ id: z.string(), name: z.string() })).describe('Drivers who sign in as this user'),
  usersMade: z.int().describe('Users they have added'),
});

export const readUserDependents = defineRoute({
  method: 'GET',
  path: '/api/v1/read_my_user_dependents/{id}',
  access: 'users.read',
  summary: 'Preview what ends and what stays when a user is deleted',
  tag: TAG,
  params,
  response: dependentsSchema,
  problems: ['not-found'],
});

export const deleteMyUser = defineRoute({
  method: 'DELETE',
  path: '/api/v1/delete_my_user/{id}',
  access: 'users.write',
  summary: 'Delete a user; what they did stays in the audit log',
  tag: TAG,
  params,
  response: z.object({ deleted: z.literal(true), id: z.string(), dependents: dependentsSchema }),
  problems: ['not-found', 'more-than-you-hold', 'last-owner', 'that-is-you'],
});

export const signOutMyUser = defineRoute({
  method: 'POST',
  path: '/api/v1/sign_out_my_user/{id}',
  access: 'users.write',
  summary: 'End every session and API token of a user',
  tag: TAG,
  params,
  response: z.object({ ended: z.int() }),
  problems: ['not-found', 'more-than-you-hold'],
});

export const inviteMyUser = defineRoute({
  method: 'POST',
  path: '/api/v1/invite_my_user/{id}',
  access: 'users.write',
  summary: 'Create a new invitation for a user who has not accepted theirs; the old one ends',
  tag: TAG,
  params,
  response: invitationSchema,
  problems: ['not-found', 'more-than-you-hold', 'already-joined'],
});

export const resetSecondFactorOfMyUser = defineRoute({
  method: 'POST',
  path: '/api/v1/reset_second_factor_of_my_user/{id}',
  access: 'users.write',
  summary: 'Remove the second factors of a user who has lost them, and end their sessions',
  tag: TAG,
  params,
  response: z.object({ ok: z.literal(true) }),
  problems: ['not-found', 'more-than-you-hold', 'that-is-you'],
});
