import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type JWK, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { TestHttpServer } from './http-server.ts';

export const CLIENT = { id: 'milepost', secret: 'a secret of milepost at the provider, long enough' } as const;

/** A server under test whose accounts reach a provider on this machine, as the operator's account does anyway. */
export const REACHES_PROVIDER = { config: { webhooks: { http: false, networks: ['127.0.0.1'] } } };

export interface ProviderPerson {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly preferred_username?: string;
  readonly groups?: readonly string[];
  readonly amr?: readonly string[];
}

/** An RSA key that signs ID tokens. */
export function signingKey(kid: string) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { privateKey, jwk: { ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' } as JWK };
}

/**
 * A real OpenID Connect provider (oidc-provider) on loopback, with keys of its own. Whoever opens its sign-in page is
 * `visitor` at once; null: they cancel.
 */
export class IdentityProvider {
  visitor: ProviderPerson | null = null;
  /** Changes ID tokens on their way, as someone between would. */
  forge: ((idToken: string) => string) | null = null;
  isDown = false;
  readonly key = signingKey('one');
  readonly #people = new Map<string, ProviderPerson>();
  readonly #server: Server;
  #provider: Provider | null = null;

  private constructor(server: Server) {
    this.#server = server;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  static async start({
    origins = ['http://localhost:8080'],
    inIdToken = false,
  }: {
    readonly origins?: readonly string[];
    /** Puts all that it says of a person into the ID token; else they must be asked for. */
    readonly inIdToken?: boolean;
  } = {}): Promise<IdentityProvider> {
    const server = createServer((request, response) => void provider.#answer(request, response));
    const provider = new IdentityProvider(server);
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    // A test that shares one does not end it.
    server.unref();
    provider.#open(origins, inIdToken);
    return provider;
  }

  /** The pages that may come back; a server's port is known late. */
  #open(origins: readonly string[], inIdToken: boolean): void {
    const scope = 'openid email profile groups';
    const provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: origins.map(origin => `${origin}/sign-on`),
          post_logout_redirect_uris: origins.map(origin => `${origin}/login`),
        },
      ],
      jwks: { keys: [this.key.jwk] },
      cookies: { keys: ['of the tests'] },
      scopes: scope.split(' '),
      claims: {
        openid: ['sub', 'amr'],
        email: ['email', 'email_verified'],
        profile: ['name', 'preferred_username'],
        groups: ['groups'],
      },
      features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true, logoutSource: endAtOnce } },
      conformIdTokenClaims: !inIdToken,
      pkce: { required: () => true },
      findAccount: (_, id) => ({
        accountId: id,
        claims: () => ({ ...this.#people.get(id), sub: id }),
      }),
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      loadExistingGrant: async ({ oidc }) => {
        const grant = new provider.Grant({ clientId: CLIENT.id, accountId: oidc.session?.accountId ?? '' });
        grant.addOIDCScope(scope);
        await grant.save();
        return grant;
      },
      // A session of before would let the next visitor in as the last one.
      ttl: { Session: 1, Interaction: 60, Grant: 60, AccessToken: 60, IdToken: 60 },
    });
    this.#provider = provider;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const provider = this.#provider;
    if (!provider || this.isDown) return void request.socket.destroy();
    const { url = '' } = request;
    if (url.startsWith('/interaction/')) {
      const { visitor } = this;
      if (visitor) this.#people.set(visitor.sub, visitor);
      const result = visitor
        ? { login: { accountId: visitor.sub, amr: [...(visitor.amr ?? [])] } }
        : { error: 'access_denied' };
      return provider.interactionFinished(request, response, result);
    }
    if (url === '/token' && this.forge) forgeIn(response, this.forge);
    await provider.callback()(request, response);
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise(resolve => void this.#server.close(() => resolve()));
  }
}

/** Ends the session without asking. The provider's own page asks, in a font of the web that tests can't load. */
function endAtOnce(context: KoaContextWithOIDC, form: string): void {
  const yes = '<input type="hidden" name="logout" value="yes" form="op.logoutForm">';
  context.body = `${form}${yes}<script>document.forms[0].submit()</script>`;
}

function forgeIn(response: ServerResponse, forge: (idToken: string) => string): void {
  const end = response.end.bind(response) as (body?: unknown) => ServerResponse;
  response.end = ((body?: unknown) => {
    const said = JSON.parse(String(body)) as { id_token?: string };
    if (said.id_token === undefined) return end(body);
    const forged = JSON.stringify({ ...said, id_token: forge(said.id_token) });
    response.setHeader('content-length', Buffer.byteLength(forged));
    return end(forged);
  }) as ServerResponse['end'];
}

/** The settings of an account for this provider. */
export const signOnSettings = ({ issuer }: { readonly issuer: string }, more: object = {}) => ({
  ...{ enabled: true, label: 'Acme ID', issuer, clientId: CLIENT.id, clientSecret: CLIENT.secret },
  ...{ scopes: 'email profile groups', groupsClaim: 'groups', groups: [], defaultRole: 'viewer', domains: [] },
  ...{ createUsers: true, matchByEmail: false, passwords: 'everyone', trustSecondFactor: false, signOutToo: false },
  ...more,
});

/** Opens the provider's page as a browser does, with its cookies, until it sends back here. Returns the answer. */
export async function throughProvider(address: string, back = 'http://localhost:8080/sign-on'): Promise<string> {
  const cookies = new Map<string, string>();
  let url = address;
  for (let i = 0; i < 10 && !url.startsWith(`${back}?`); i++) {
    const cookie = [...cookies].map(each => each.join('=')).join('; ');
    const { headers, status } = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const each of headers.getSetCookie()) {
      const [name = '', value = ''] = (each.split(';')[0] ?? '').split('=');
      cookies.set(name, value);
    }
    const location = headers.get('location');
    if (location === null) throw new Error(`The provider answered ${status} at ${url}.`);
    url = new URL(location, url).href;
  }
  return url.slice(back.length + 1);
}

/** Begins at the sign-in page of an account: the provider's address, and the browser's cookie. */
export async function beginSignOn(server: Pick<TestHttpServer, 'call'>, body: object = {}) {
  const answer = await server.call('POST', '/api/v1/sign_on/start', { body });
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  return { ...answer, cookie, url: (answer.body as { url?: string }).url ?? '' };
}

/** The whole way: begin, sign in at the provider, come back. */
export async function signOn(server: Pick<TestHttpServer, 'call'>, body: object = {}) {
  const { cookie, url } = await beginSignOn(server, body);
  return finish(server, await throughProvider(url), cookie);
}

export const finish = (server: Pick<TestHttpServer, 'call'>, answer: string, cookie: string) =>
  server.call('POST', '/api/v1/sign_on/finish', { body: { answer }, headers: { cookie } });
