/** The part of oidc-provider, which brings no types, that our tests use. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  interface Context {
    body: unknown;
    readonly oidc?: {
      readonly route: string;
      readonly session: { readonly accountId?: string };
      readonly client: { readonly clientId: string };
      readonly params: Readonly<Record<string, string | undefined>>;
    };
  }
  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  interface Token {
    readonly isValid: boolean;
    destroy(): Promise<void>;
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: new (of: { clientId: string; accountId: string | undefined }) => Grant;
    readonly ClientCredentials: { find(value: string): Promise<Token | undefined> };
    registerGrantType(name: string, handler: (context: Context) => Promise<void>, parameters: readonly string[]): void;
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): this;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  }
}
