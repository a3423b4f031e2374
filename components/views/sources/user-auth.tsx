"use client";

import { within, type Bound } from "@/components/resource/editor/bind";
import { OptionalTextField, TextField } from "@/components/resource/fields/text-field";
import { SecretField } from "@/components/secrets/secret-field";
import type { Auth } from "@/components/views/sources/source-auth";

type UserSignIn = Extract<Auth, { mode: "user" }>;

/** The settings of a source whose users sign in at the upstream themselves. Most upstreams need none of them. */
export function UserAuth({ bound }: { bound: Bound<UserSignIn> }) {
  const origins = [bound.value.issuer, bound.value.resource].filter((url) => url !== null && URL.canParse(url));
  const known = origins.map((url) => new URL(url as string).origin);
  return (
    <>
      <OptionalTextField
        {...within(bound, "resource")}
        label="API address"
        hint="Tokens are sent to this origin only. Empty: the URL of the MCP server"
        mono
      />
      <OptionalTextField
        {...within(bound, "issuer")}
        label="Authorization server"
        hint="Empty: the one that the API's metadata names"
        mono
      />
      <div className="grid grid-cols-2 gap-3">
        <TextField {...within(bound, "scope")} label="Scope" hint="Empty: the scopes that the API names" mono />
        <OptionalTextField
          {...within(bound, "clientId")}
          label="Client id"
          hint="Empty: Quartermaster's client document, or registration"
          mono
        />
      </div>
      <SecretField
        label="Client secret"
        bound={optional(within(bound, "secret"))}
        origins={known}
        hint="Of the client id, where it has one"
      />
      <SecretField
        label="Secret for imports"
        bound={optional(within(bound, "importSecret"))}
        origins={known}
        hint="A bearer token for imports and syncs. Empty: the linked account of the person who starts one"
      />
    </>
  );
}

function optional(bound: Bound<string | null>): Bound<string> {
  return { ...bound, value: bound.value ?? "", onChange: (name) => bound.onChange(name === "" ? null : name) };
}
