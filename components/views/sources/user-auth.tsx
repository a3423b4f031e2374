import { within, type Bound } from "@/components/resource/editor/bind";
import { OptionalTextField, TextField } from "@/components/resource/fields/text-field";
import { SecretField } from "@/components/secrets/secret-field";
import type { Auth } from "@/components/views/sources/source-auth";

type UserSignIn = Extract<Auth, { mode: "user" }>;

/** The settings of a source whose users sign in at the upstream themselves. Most upstreams need none of them. */
export function UserAuth({ bound }: { bound: Bound<UserSignIn> }) {
  const urls = [bound.value.issuer, bound.value.resource].filter((url) => url !== null && URL.canParse(url));
  const origins = urls.map((url) => new URL(url as string).origin);
  return (
    <>
      <OptionalTextField
        {...within(bound, "resource")}
        label="API address"
        hint="Tokens are sent to this origin only. Leave empty to use the URL of the MCP server"
        mono
      />
      <OptionalTextField
        {...within(bound, "issuer")}
        label="Authorization server"
        hint="Leave empty to use the one in the API's metadata"
        mono
      />
      <div className="grid grid-cols-2 gap-3">
        <TextField
          {...within(bound, "scope")}
          label="Scope"
          hint="Leave empty to request the scopes in the API's metadata"
          mono
        />
        <OptionalTextField
          {...within(bound, "clientId")}
          label="Client id"
          hint="Leave empty to use Quartermaster's client document, or to register a client"
          mono
        />
      </div>
      <SecretField
        label="Client secret"
        bound={optional(within(bound, "secret"))}
        origins={origins}
        hint="The secret of this client, if it has one"
      />
      <SecretField
        label="Secret for imports"
        bound={optional(within(bound, "importSecret"))}
        origins={origins}
        hint="A bearer token for imports and syncs. Leave empty to use the linked account of the person who starts one"
      />
    </>
  );
}

function optional(bound: Bound<string | null>): Bound<string> {
  return { ...bound, value: bound.value ?? "", onChange: (name) => bound.onChange(name === "" ? null : name) };
}
