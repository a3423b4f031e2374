"use client";

import { toOptions } from "@/components/ui/forms/options";
import { within, type Bound } from "@/components/resource/editor/bind";
import { ChoiceField } from "@/components/resource/fields/choice-field";
import { TextField } from "@/components/resource/fields/text-field";
import { SecretField } from "@/components/secrets/secret-field";
import { UserAuth } from "@/components/views/sources/user-auth";
import { Field } from "@/components/ui/forms/field";
import { Select } from "@/components/ui/forms/select";
import type { Input } from "@/lib/resources";

/** How a source authenticates. */
export type Auth = Input<"sources">["auth"];
type Mode = Auth["mode"];
type Of<M extends Mode> = Extract<Auth, { mode: M }>;

/** Each mode with nothing stated yet. */
export const BLANK_AUTH: { readonly [M in Mode]: Of<M> } = {
  none: { mode: "none" },
  api_key: { mode: "api_key", in: "header", name: "x-api-key", secret: "" },
  basic: { mode: "basic", username: "", secret: "" },
  bearer: { mode: "bearer", secret: "" },
  client_credentials: { mode: "client_credentials", tokenUrl: "", clientId: "", secret: "", scope: "" },
  token_exchange: { mode: "token_exchange", tokenUrl: "", clientId: "", secret: "", audience: "", scope: "" },
  user: {
    mode: "user",
    resource: null,
    issuer: null,
    scope: "",
    clientId: null,
    secret: null,
    importSecret: null,
  },
};

const MODES: readonly { value: Mode; label: string; hint?: string }[] = [
  { value: "none", label: "None" },
  { value: "api_key", label: "API key", hint: "In a header or in the query" },
  { value: "basic", label: "Basic", hint: "User name and password" },
  { value: "bearer", label: "Bearer token", hint: "A fixed token" },
  { value: "client_credentials", label: "Client credentials", hint: "OAuth 2, as Quartermaster" },
  { value: "token_exchange", label: "Token exchange", hint: "OAuth 2, as the caller" },
  { value: "user", label: "User's own sign-in", hint: "OAuth 2, each person links their account" },
];

interface SourceAuthProps {
  bound: Bound<Auth>;
  label?: string | undefined;
  /** The origins of a new secret, as far as they are known besides the token URL. */
  origins?: readonly string[] | undefined;
}

/** How we authenticate to the upstream. Secrets are named here, never typed. */
export function SourceAuth({ bound, label = "Mode", origins = [] }: SourceAuthProps) {
  const { value: auth } = bound;
  const tokenUrls = "tokenUrl" in auth ? [auth.tokenUrl] : [];
  return (
    <>
      <Field label={label} name={`${bound.path}.mode`} error={bound.error}>
        <Select
          value={auth.mode}
          onChange={(mode) => bound.onChange(BLANK_AUTH[mode])}
          options={MODES}
          disabled={bound.readOnly}
          className="max-w-64"
        />
      </Field>
      {auth.mode === "api_key" && <ApiKey bound={{ ...bound, value: auth }} />}
      {auth.mode === "basic" && (
        <TextField {...within<Of<"basic">, "username">({ ...bound, value: auth }, "username")} label="User name" />
      )}
      {(auth.mode === "client_credentials" || auth.mode === "token_exchange") && (
        <Token bound={{ ...bound, value: auth }} />
      )}
      {auth.mode === "token_exchange" && (
        <TextField
          {...within<Of<"token_exchange">, "audience">({ ...bound, value: auth }, "audience")}
          label="Audience"
          hint="The audience of the exchanged token. Required"
          mono
        />
      )}
      {auth.mode === "user" && <UserAuth bound={{ ...bound, value: auth }} />}
      {auth.mode !== "none" && auth.mode !== "user" && (
        <SecretField
          bound={within<Exclude<Auth, Of<"none"> | Of<"user">>, "secret">({ ...bound, value: auth }, "secret")}
          origins={[...new Set([...origins, ...originsOf(tokenUrls)])]}
        />
      )}
    </>
  );
}

/** The origins of the valid addresses. */
export function originsOf(urls: readonly string[]): string[] {
  return urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin);
}

function ApiKey({ bound }: { bound: Omit<Bound<Auth>, "value"> & { value: Of<"api_key"> } }) {
  const key: Bound<Of<"api_key">> = bound;
  return (
    <div className="grid grid-cols-[8rem_1fr] gap-3">
      <ChoiceField {...within(key, "in")} label="Location" options={toOptions({ header: "Header", query: "Query" })} />
      <TextField {...within(key, "name")} label="Parameter" mono />
    </div>
  );
}

function Token({
  bound,
}: {
  bound: Omit<Bound<Auth>, "value"> & { value: Of<"client_credentials"> | Of<"token_exchange"> };
}) {
  const token: Bound<Of<"client_credentials"> | Of<"token_exchange">> = bound;
  return (
    <>
      <TextField {...within(token, "tokenUrl")} label="Token URL" mono />
      <div className="grid grid-cols-2 gap-3">
        <TextField {...within(token, "clientId")} label="Client id" mono />
        <TextField {...within(token, "scope")} label="Scope" mono />
      </div>
    </>
  );
}
