import type { RouteAnswer, trySignOn } from '@milepost/contract';
import * as oidc from 'openid-client';
import { AppError } from '../../app-error.ts';
import { failureToReach, isWebAddress, providerFetch, type Reach } from './provider-fetch.ts';

/** How Milepost is known at a provider. */
export interface Client {
  readonly issuer: string;
  readonly clientId: string;
  /** Null for a client that proves itself by PKCE alone. */
  readonly secret: string | null;
  readonly reach: Reach;
}

/** What the provider said about a person, once it is verified. */
export interface Person {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string | null;
  readonly userName: string | null;
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  readonly groups: readonly string[];
  /** The provider says that it asked for a second factor. */
  readonly secondFactor: boolean;
}

export interface Checks {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
}

/** Between the provider's clock and ours. */
const CLOCK_SKEW_S = 60;
/** How long a provider's configuration is believed; its keys are read again when an unknown one signs. */
const BELIEVED_MS = 10 * 60_000;
const CACHE_SIZE = 1000;

/** Providers, each read once in ten minutes. */
export class Providers {
  readonly #known = new Map<string, { readonly until: number; readonly read: Promise<oidc.Configuration> }>();

  /** @throws what openid-client throws, or an error with the code of `provider-fetch.ts`. */
  read(client: Client): Promise<oidc.Configuration> {
    const { issuer, clientId, secret, reach } = client;
    const key = JSON.stringify([issuer, clientId, secret, reach.loopback]);
    const known = this.#known.get(key);
    if (known && known.until > Date.now()) return known.read;
    if (this.#known.size >= CACHE_SIZE) this.#known.clear();
    const read = discover(client);
    this.#known.set(key, { until: Date.now() + BELIEVED_MS, read });
    read.catch(() => this.#known.delete(key));
    return read;
  }
}

async function discover({ issuer, clientId, secret, reach }: Client): Promise<oidc.Configuration> {
  const configuration = await oidc.discovery(
    new URL(issuer),
    clientId,
    { [oidc.clockTolerance]: CLOCK_SKEW_S },
    secret === null ? oidc.None() : secretAuth(secret),
    {
      [oidc.customFetch]: providerFetch(reach),
      // The signature of the ID token is verified, although it comes over TLS (OpenID Connect Core 1.0, 3.1.3.7, item 6).
      execute: [oidc.enableNonRepudiationChecks, ...(reach.loopback ? [oidc.allowInsecureRequests] : [])],
    },
  );
  const metadata = configuration.serverMetadata();
  // openid-client lets some issuers stand for every organization that exists there, such as Entra's `common`.
  if (new URL(metadata.issuer).href !== new URL(issuer).href) throw new OtherIssuer();
  const { authorization_endpoint: authorization, token_endpoint: token } = metadata;
  if (!authorization || !token || !isWebAddress(authorization, reach)) throw new NoProvider();
  return configuration;
}

/** By the header, as every provider must understand it (RFC 6749, 2.3.1), unless it says that it does not. */
function secretAuth(secret: string): oidc.ClientAuth {
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, client, body, headers);
  };
}

class OtherIssuer extends Error {}
class NoProvider extends Error {}

/** What a provider says about itself, or why it could not be read. */
export async function lookAt(providers: Providers, client: Client): Promise<RouteAnswer<typeof trySignOn>> {
  try {
    const metadata = (await providers.read(client)).serverMetadata();
    return {
      failure: null,
      found: {
        issuer: metadata.issuer,
        authorization: metadata.authorization_endpoint ?? '',
        scopes: metadata.scopes_supported ?? null,
        claims: metadata.claims_supported ?? null,
        signatures: (metadata.id_token_signing_alg_values_supported as string[] | undefined) ?? null,
        signOut: metadata.end_session_endpoint !== undefined,
      },
    };
  } catch (error) {
    const isOther = error instanceof OtherIssuer || /issuer does not match/.test(String(error));
    return { failure: failureToReach(error) ?? (isOther ? 'other-issuer' : 'no-provider'), found: null };
  }
}

/** Where the browser signs in: authorization code with PKCE (RFC 7636). */
export async function addressToSignIn(configuration: oidc.Configuration, scopes: string, checks: Checks): Promise<URL> {
  const scope = [...new Set(['openid', ...scopes.split(/\s+/).filter(Boolean)])].join(' ');
  return oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: checks.redirectUri,
    scope,
    state: checks.state,
    nonce: checks.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(checks.codeVerifier),
    code_challenge_method: 'S256',
  });
}

/**
 * Exchanges the code and verifies what comes: issuer (RFC 9207), audience, signature, nonce, times.
 * @throws AppError with the reason for the person
 */
export async function personOf(
  configuration: oidc.Configuration,
  answer: string,
  checks: Checks,
  groupsClaim: string,
): Promise<Person> {
  try {
    const tokens = await oidc.authorizationCodeGrant(configuration, new URL(`${checks.redirectUri}?${answer}`), {
      expectedState: checks.state,
      expectedNonce: checks.nonce,
      pkceCodeVerifier: checks.codeVerifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new AppError('sign-on-untrusted');
    const isWhole = claims.email_verified !== undefined && valueAt(claims, groupsClaim) !== undefined;
    const { userinfo_endpoint: userInfo } = configuration.serverMetadata();
    // Many providers keep the ID token short and say the rest there.
    const more = isWhole || !userInfo ? {} : await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub);
    return toPerson(claims, more, groupsClaim);
  } catch (error) {
    throw error instanceof AppError ? error : problemOf(error);
  }
}

type Claims = Readonly<Record<string, unknown>>;

function toPerson(claims: oidc.IDToken, more: Claims, groupsClaim: string): Person {
  const all: Claims = { ...more, ...claims };
  // An address and whether it is verified come from the same place.
  const mail: Claims = claims.email_verified === undefined && textOf(more.email) !== null ? more : claims;
  const { amr } = claims;
  return {
    issuer: claims.iss,
    subject: claims.sub,
    name: textOf(all.name),
    userName: textOf(all.preferred_username),
    email: textOf(mail.email),
    // `xms_edov`: Entra's word for a domain that its tenant has proven to own; it has no `email_verified`.
    isEmailVerified: [mail.email_verified, all.xms_edov].some(value => [true, 'true', 1, '1'].includes(value as 1)),
    groups: groupsOf(valueAt(all, groupsClaim)),
    // RFC 8176, section 2.
    secondFactor: Array.isArray(amr) && amr.includes('mfa'),
  };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);

/** A claim by its name, or by a path such as `realm_access.roles`. */
function valueAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, part) ? (value as Claims)[part] : undefined;
  }
  return value;
}

const groupsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter(each => typeof each === 'string');

/** With what happened as its cause, for the log. */
function problemOf(error: unknown): AppError {
  const problem = new AppError(codeOf(error));
  problem.cause = error;
  return problem;
}

function codeOf(error: unknown) {
  if (error instanceof oidc.AuthorizationResponseError) return 'sign-on-canceled';
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.WWWAuthenticateChallengeError) {
    const code = error instanceof oidc.ResponseBodyError ? error.error : '';
    const isClient = ['invalid_client', 'unauthorized_client'].includes(code) || error.status === 401;
    return isClient ? 'sign-on-client' : 'sign-on-untrusted';
  }
  return failureToReach(error) ? 'sign-on-down' : 'sign-on-untrusted';
}

const REASON_CHARACTERS = 200;

/**
 * For the log, in one line: what the checks have found, or the provider's error code; no claim, code or token. Errors
 * without a code of openid-client or Node may quote what they could not parse.
 */
export function reasonOf(error: unknown): string | undefined {
  const said: string[] = [];
  for (let each = error instanceof Error ? error.cause : null; each instanceof Error; each = each.cause) {
    if (typeof (each as NodeJS.ErrnoException).code !== 'string') continue;
    said.push('error' in each ? `${each.message} (${String(each.error)})` : each.message);
  }
  if (said.length === 0) return undefined;
  return said
    .join(': ')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .slice(0, REASON_CHARACTERS);
}
