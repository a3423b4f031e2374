/** Types for the part of oidc-provider that we use. The package has none. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  interface Client {
    readonly clientId: string;
    readonly clientName?: string;
    readonly clientIdMetadataDocument?: true;
    readonly clientAuthMethod: string;
    readonly redirectUris: readonly string[];
    grantTypeAllowed(type: string): boolean;
  }

  /** A code or a refresh token. */
  interface GrantToken {
    readonly grantId: string;
    readonly amr?: readonly string[];
  }

  interface OidcContext {
    readonly route: string;
    readonly session: { readonly accountId?: string };
    readonly client: Client;
    readonly params: Record<string, string | undefined>;
    readonly requestParamScopes: ReadonlySet<string>;
    readonly entities: {
      readonly AuthorizationCode?: GrantToken;
      readonly Interaction?: Interaction;
      readonly RefreshToken?: GrantToken;
    };
    readonly result?: Readonly<Record<string, unknown>>;
  }

  interface Context {
    body: unknown;
    type: string;
    status: number;
    readonly req: IncomingMessage;
    readonly path: string;
    readonly headers: Record<string, string>;
    readonly response: { get(header: string): string };
    readonly cookies: { set(name: string, value: string | null, attributes: object): void };
    readonly oidc: OidcContext;
    redirect(url: string): void;
    remove(header: string): void;
    set(headers: Readonly<Record<string, string>>): void;
  }

  /** The context of a middleware. `oidc` is absent before the route runs, and when no route matches. */
  type OuterContext = Omit<Context, "oidc"> & { readonly oidc?: OidcContext };

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  interface Token {
    readonly isValid: boolean;
    destroy(): Promise<void>;
  }

  interface AccessToken {
    resourceServer: object;
    scope: string;
    readonly expiration: number;
    save(): Promise<string>;
  }

  interface Interaction {
    readonly uid: string;
    readonly exp: number;
    readonly params: Readonly<Record<string, string | undefined>>;
    /** The person's answer on the consent page. */
    readonly result?: object;
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    /** The context of the request that is being answered. */
    static get ctx(): Context;
    proxy: boolean;
    silent: boolean;
    readonly Grant: {
      new (of: { clientId: string; accountId: string | undefined }): Grant;
      find(id: string): Promise<Grant | undefined>;
    };
    readonly AccessToken: new (of: object) => AccessToken;
    readonly ResourceServer: new (identifier: string, info: object) => object;
    readonly ClientCredentials: { find(value: string): Promise<Token | undefined> };
    registerGrantType(name: string, handler: (context: Context) => Promise<void>, parameters: readonly string[]): void;
    cookieName(type: string): string;
    use(middleware: (context: OuterContext, next: () => Promise<void>) => Promise<void>): this;
    on(event: string, listener: (context: Context, error: Error) => void): this;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  }
}

/** Imported instead of the package's index, which prints a warning at each start on Node 20. We support Node 20. */
declare module "oidc-provider/lib/provider.js" {
  export { Provider } from "oidc-provider";
}

/** Errors with the codes of the RFCs. oidc-provider sends the description, except of `InvalidGrant` and `InvalidClientAuth`. */
declare module "oidc-provider/lib/helpers/errors.js" {
  type OAuthError = new (description: string) => Error;

  export const InvalidTarget: OAuthError;
  export const InvalidGrant: OAuthError;
  export const InvalidRequest: OAuthError;
  export const InvalidScope: OAuthError;
  export const UnauthorizedClient: OAuthError;
  export const InvalidClientAuth: OAuthError;
  export const AccessDenied: OAuthError;
  export const TemporarilyUnavailable: OAuthError;
}

/** Holds the context of the request that oidc-provider is answering. */
declare module "oidc-provider/lib/helpers/als.js" {
  import type { AsyncLocalStorage } from "node:async_hooks";

  const context: AsyncLocalStorage<unknown>;
  export default context;
}
