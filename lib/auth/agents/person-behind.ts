import type { Caller } from "@/lib/auth/agents/caller";
import { publicOrigin } from "@/lib/env";

/** How a credential names the person behind it. */
type PersonReference =
  /** The person's id in the store. */
  | { readonly by: "id"; readonly id: string }
  /** `iss` and `sub`, as the OpenID provider of people knows the person. */
  | { readonly by: "openid"; readonly issuer: string; readonly subject: string };

/**
 * The person whom a caller's credential names, or `null` when it names none (docs/reference/linked-accounts.md#people).
 * A reference may name nobody: a foreign issuer's subject is a person only if that person signs in here too.
 *
 * An API key belongs to an agent. Another kind of credential that names a person adds its case here.
 */
export function personBehind({
  credential,
  principal,
}: Pick<Caller, "credential" | "principal">): PersonReference | null {
  switch (credential.kind) {
    case "api_key":
      return null;
    case "jwt":
      if (principal.issuer !== publicOrigin())
        return { by: "openid", issuer: principal.issuer, subject: principal.subject };
      // A token of our own authorization server names the person by id; with client credentials its subject is the client,
      // whose name may look like such an id (docs/reference/client-sign-in.md#tokens-and-identity).
      return principal.subject === principal.client ? null : { by: "id", id: principal.subject };
    case "trial":
      // The rights are those of the chosen caller, but the account at the upstream is the one of the person who tries.
      return credential.person === null ? null : { by: "id", id: credential.person };
  }
}
