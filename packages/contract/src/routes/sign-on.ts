import { z } from 'zod';
import { idSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { ROLES } from '../roles.ts';
import { defineRoute } from '../route.ts';
import { scopeSchema, signInAnswerSchema } from './accounts.ts';

const TAG = 'Single sign-on';

/** Who may still sign in without the provider, with a password or a passkey. */
export const SIGN_ON_PASSWORDS = ['everyone', 'owners'] as const;
export const SIGN_ON_GROUPS_MAX = 100;

const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max, issue('max-length', { max }))
    .regex(/^\P{Cc}*$/u, issue('one-line'));

/** OpenID Connect Discovery 1.0, section 3: an https address without query or fragment; http only for tests and trials. */
const issuerSchema = line(500).refine(text => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  const isLoopback = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
  const isPlain = [username, password, search, hash].every(part => part === '') && !/[?#]/.test(text);
  return isPlain && (protocol === 'https:' || (protocol === 'http:' && isLoopback));
}, issue('sign-on-issuer'));

const domainSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/, issue('email-domain'));

/** What users of a group of the provider can do here. */
export const signOnGroupSchema = z.strictObject({
  group: line(200).min(1, issue('required')),
  role: z.enum(ROLES),
  customRoleId: idSchema.nullable().default(null),
  scope: scopeSchema.nullable().default(null),
});
export type SignOnGroup = z.infer<typeof signOnGroupSchema>;

const fields = {
  /** Off: nobody can use it, and passwords work as without it. */
  enabled: z.boolean(),
  /** Text of the button on the sign-in page. */
  label: line(40).min(1, issue('required')),
  issuer: issuerSchema,
  clientId: line(300).min(1, issue('required')),
  /** Separated by spaces; `openid` is always asked for. */
  scopes: line(300),
  /** The claim that lists a user’s groups. */
  groupsClaim: line(200).min(1, issue('required')),
  /** The first row that matches decides, at every sign-in. Empty: roles are assigned here, not by the provider. */
  groups: z.array(signOnGroupSchema).max(SIGN_ON_GROUPS_MAX),
  /** Of users in none of the groups. Null: they are refused. */
  defaultRole: z.enum(ROLES).nullable(),
  /** Only users with a verified address in one of these sign in. Empty: any. */
  domains: z.array(domainSchema).max(50),
  /** Create a user at their first sign-in. */
  createUsers: z.boolean(),
  /** At a first sign-in, take the user of this account who has the same verified email address. */
  matchByEmail: z.boolean(),
  passwords: z.enum(SIGN_ON_PASSWORDS),
  /** The provider asks everyone for a second factor, even if it doesn’t say so. */
  trustSecondFactor: z.boolean(),
  /** Signing out here ends the session at the provider, too. */
  signOutToo: z.boolean(),
};

export const signOnInputSchema = z.strictObject({
  ...fields,
  /** Empty: the stored one stays, as long as the issuer does. */
  clientSecret: line(1000),
});
export type SignOnInput = z.infer<typeof signOnInputSchema>;

export const signOnSchema = z
  .object({
    /** Null: not set up. */
    settings: z.object({ ...fields, issuer: z.string(), hasSecret: z.boolean() }).nullable(),
    /** What to register at the provider. */
    redirectUris: z.array(z.string()),
    signOutUris: z.array(z.string()),
    /** Where this account’s users sign in, whichever host name shows the sign-in page. Null until it is set up. */
    link: z.string().nullable(),
    /** Users who have signed in this way. */
    users: z.int(),
  })
  .meta({ id: 'SignOn' });
export type SignOn = z.infer<typeof signOnSchema>;

export const readSignOn = defineRoute({
  method: 'GET',
  path: '/api/v1/sign_on',
  access: 'owners.write',
  summary: 'Read how users sign in with your identity provider',
  tag: TAG,
  response: signOnSchema,
});

export const updateSignOn = defineRoute({
  method: 'PUT',
  path: '/api/v1/sign_on',
  access: 'owners.write',
  summary: 'Set up sign-in with an identity provider',
  tag: TAG,
  body: signOnInputSchema,
  response: signOnSchema,
});

export const deleteSignOn = defineRoute({
  method: 'DELETE',
  path: '/api/v1/sign_on',
  access: 'owners.write',
  summary: 'Remove the identity provider; users stay and lose their connection with it',
  tag: TAG,
  response: signOnSchema,
});

/** Why a provider could not be read. */
export const SIGN_ON_FAILURES = [
  'address-refused',
  'no-host',
  'unreachable',
  'certificate',
  'timeout',
  /** It answers, but not with an OpenID Connect configuration. */
  'no-provider',
  /** It says that its issuer is another one. */
  'other-issuer',
] as const;
export type SignOnFailure = (typeof SIGN_ON_FAILURES)[number];

export const trySignOn = defineRoute({
  method: 'POST',
  path: '/api/v1/sign_on/try',
  access: 'owners.write',
  summary: 'Read what an identity provider says about itself',
  tag: TAG,
  body: z.strictObject({ issuer: issuerSchema }),
  response: z.object({
    failure: z.enum(SIGN_ON_FAILURES).nullable(),
    found: z
      .object({
        issuer: z.string(),
        authorization: z.string(),
        /** What it offers; null if it doesn’t say. */
        scopes: z.array(z.string()).nullable(),
        claims: z.array(z.string()).nullable(),
        signatures: z.array(z.string()).nullable(),
        signOut: z.boolean(),
      })
      .nullable(),
  }),
  problems: ['too-many-requests'],
});

/** The key in the link of one account. */
const keySchema = z.uuid(issue('sign-on-link'));

export const readSignOnLink = defineRoute({
  method: 'GET',
  path: '/api/v1/sign_on/link/{key}',
  access: 'public',
  summary: 'Read whose link to sign in it is',
  tag: TAG,
  params: z.object({ key: keySchema }),
  response: z.object({ organization: z.string(), label: z.string() }),
  problems: ['sign-on-off'],
});

export const startSignOn = defineRoute({
  method: 'POST',
  path: '/api/v1/sign_on/start',
  access: 'public',
  summary: 'Begin to sign in at the identity provider; the answer sets a cookie for the call that finishes it',
  tag: TAG,
  body: z.strictObject({
    /** Of the link; without it, the account is the one whose sign-in page this host name shows. */
    key: keySchema.optional(),
    /** Where to go afterwards: a path of this app. */
    from: z
      .string()
      .max(2000)
      .regex(/^\/(?![/\\])\P{Cc}*$/u)
      .default('/'),
  }),
  response: z.object({ url: z.string().describe('Of the provider: open it in the same browser') }),
  problems: ['sign-on-off', 'sign-on-elsewhere', 'sign-on-down', 'too-many-tries'],
});

export const finishSignOn = defineRoute({
  method: 'POST',
  path: '/api/v1/sign_on/finish',
  access: 'public',
  summary: 'Sign in with what the identity provider has answered',
  tag: TAG,
  body: z.strictObject({ answer: z.string().max(8000).describe('The query of the address it came back to') }),
  response: signInAnswerSchema.extend({ from: z.string() }),
  problems: [
    'sign-on-off',
    'sign-on-over',
    'sign-on-down',
    'sign-on-client',
    'sign-on-canceled',
    'sign-on-untrusted',
    'sign-on-unverified',
    'sign-on-domain',
    'sign-on-email-taken',
    'sign-on-unknown',
    'sign-on-no-role',
    'sign-on-deactivated',
    'sign-on-second-factor',
    'too-many-tries',
  ],
});
