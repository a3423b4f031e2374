import type { ComponentType } from "react";
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

/** The authentication in one mode. It can be replaced by any other. */
type BoundMode<M extends Mode> = Omit<Bound<Auth>, "value"> & { readonly value: Of<M> };

interface ModeForm<M extends Mode> {
  readonly label: string;
  readonly hint?: string;
  /** The mode with nothing stated yet. */
  readonly blank: Of<M>;
  /** The fields besides the secret; `null` = none. */
  readonly Fields: ComponentType<{ bound: BoundMode<M> }> | null;
}

const MODES: { readonly [M in Mode]: ModeForm<M> } = {
  none: { label: "None", blank: { mode: "none" }, Fields: null },
  api_key: {
    label: "API key",
    hint: "In a header or in the query",
    blank: { mode: "api_key", in: "header", name: "x-api-key", secret: "" },
    Fields: ApiKey,
  },
  basic: {
    label: "Basic",
    hint: "User name and password",
    blank: { mode: "basic", username: "", secret: "" },
    Fields: Basic,
  },
  bearer: { label: "Bearer token", hint: "A fixed token", blank: { mode: "bearer", secret: "" }, Fields: null },
  client_credentials: {
    label: "Client credentials",
    hint: "OAuth 2, as Quartermaster",
    blank: { mode: "client_credentials", tokenUrl: "", clientId: "", secret: "", scope: "" },
    Fields: Token,
  },
  token_exchange: {
    label: "Token exchange",
    hint: "OAuth 2, as the caller",
    blank: { mode: "token_exchange", tokenUrl: "", clientId: "", secret: "", audience: "", scope: "" },
    Fields: Exchange,
  },
  user: {
    label: "User's own sign-in",
    hint: "OAuth 2, each person links their account",
    blank: {
      mode: "user",
      resource: null,
      issuer: null,
      scope: "",
      clientId: null,
      secret: null,
      importSecret: null,
    },
    Fields: UserAuth,
  },
};

const OPTIONS = (Object.keys(MODES) as Mode[]).map((value) => ({ value, ...MODES[value] }));

/** A mode with nothing stated yet. */
export function blankAuth(mode: Mode): Auth {
  return MODES[mode].blank;
}

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
  // Each form takes only its own mode. TypeScript cannot follow this through the table.
  const Fields = MODES[auth.mode].Fields as ComponentType<{ bound: Bound<Auth> }> | null;
  return (
    <>
      <Field label={label} path={`${bound.path}.mode`} error={bound.error}>
        <Select
          value={auth.mode}
          onChange={(mode) => bound.onChange(blankAuth(mode))}
          options={OPTIONS}
          disabled={bound.readOnly}
          className="max-w-64"
        />
      </Field>
      {Fields !== null && <Fields bound={bound} />}
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

function ApiKey({ bound }: { bound: BoundMode<"api_key"> }) {
  const key: Bound<Of<"api_key">> = bound;
  return (
    <div className="grid grid-cols-[8rem_1fr] gap-3">
      <ChoiceField {...within(key, "in")} label="Location" options={toOptions({ header: "Header", query: "Query" })} />
      <TextField {...within(key, "name")} label="Parameter" mono />
    </div>
  );
}

function Basic({ bound }: { bound: BoundMode<"basic"> }) {
  const basic: Bound<Of<"basic">> = bound;
  return <TextField {...within(basic, "username")} label="User name" />;
}

function Token({ bound }: { bound: BoundMode<"client_credentials" | "token_exchange"> }) {
  const token: Bound<Of<"client_credentials" | "token_exchange">> = bound;
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

function Exchange({ bound }: { bound: BoundMode<"token_exchange"> }) {
  const exchange: Bound<Of<"token_exchange">> = bound;
  return (
    <>
      <Token bound={bound} />
      <TextField
        {...within(exchange, "audience")}
        label="Audience"
        hint="The audience of the exchanged token. Required"
        mono
      />
    </>
  );
}
