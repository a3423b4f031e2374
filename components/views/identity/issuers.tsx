import { useState } from "react";
import { NAME_COLUMN, wideColumn } from "@/components/resource/columns";
import { toOptions } from "@/components/ui/forms/options";
import { bind } from "@/components/resource/editor/bind";
import { ChipsField } from "@/components/resource/fields/chips-field";
import { JsonField } from "@/components/resource/fields/json-field";
import { NumberField } from "@/components/resource/fields/number-field";
import { SwitchField } from "@/components/resource/fields/switch-field";
import { OptionalTextField, TextField } from "@/components/resource/fields/text-field";
import { switchActions, switchColumn } from "@/components/resource/list/switch-column";
import { Section } from "@/components/resource/section";
import type { FieldsProps, View } from "@/components/resource/view";
import { Badge } from "@/components/ui/badge";
import { Chips } from "@/components/ui/forms/combobox";
import { Field } from "@/components/ui/forms/field";
import { Segmented } from "@/components/ui/forms/segmented";
import { changedColumn } from "@/components/views/changed-column";
import { IssuerRevocations } from "@/components/views/identity/issuer-revocations";
import { IssuerTokenTest } from "@/components/views/identity/issuer-token-test";
import { ALGORITHM_OPTIONS } from "@/components/views/identity/algorithms";
import { NameAndDescription } from "@/components/views/name-field";
import { withoutMeta } from "@/components/views/row-input";
import type { Input } from "@/lib/resources";

type Algorithm = Input<"issuers">["algorithms"][number];

function Fields({ draft }: FieldsProps<"issuers">) {
  return (
    <>
      <Section
        title="Issuer"
        description="Quartermaster trusts tokens of this issuer. It compares issuer and audience exactly."
      >
        <NameAndDescription draft={draft} />
        <TextField
          {...bind(draft, "issuer")}
          label="Issuer"
          hint="Must equal the iss claim of the token exactly"
          placeholder="https://login.example.com/realms/main"
          mono
        />
        <TextField
          {...bind(draft, "audience")}
          label="Audience"
          hint="Must be one of the aud values of the token"
          placeholder="quartermaster"
          mono
        />
        <SwitchField {...bind(draft, "enabled")} label="Enabled" />
      </Section>
      <Keys draft={draft} />
      <Section title="Callers">
        <SwitchField
          {...bind(draft, "allowUnregistered")}
          label="Accept unregistered subjects"
          hint="If off, only subjects that are bound to an agent are accepted"
        />
        <SwitchField
          {...bind(draft, "identityAssertions")}
          label="Accept identity assertions of people"
          hint="Clients with keys then connect people without a sign-in, by an ID-JAG of this issuer (enterprise-managed authorization)"
        />
        <OptionalTextField
          {...bind(draft, "capabilitiesClaim")}
          label="Capabilities claim"
          hint="Path of a claim whose list or scope string grants capabilities"
          placeholder="none"
          mono
        />
      </Section>
    </>
  );
}

/** Where the keys come from that tokens are verified with, and which tokens are accepted. */
function Keys({ draft }: Pick<FieldsProps<"issuers">, "draft">) {
  const [keys, setKeys] = useState<"url" | "static">(draft.value.jwks === null ? "url" : "static");
  const chooseKeys = (next: "url" | "static") => {
    setKeys(next);
    if (next === "url") draft.set("jwks", null);
    else draft.set("jwksUri", null);
  };
  return (
    <Section title="Keys" description="Public keys that verify the tokens.">
      <Field label="Key set" path="jwks" group>
        <Segmented
          label="Key set"
          value={keys}
          onChange={chooseKeys}
          disabled={draft.readOnly}
          options={toOptions({ url: "From a URL", static: "Entered here" })}
        />
      </Field>
      {keys === "url" ? (
        <OptionalTextField
          {...bind(draft, "jwksUri")}
          label="JWKS URL"
          placeholder="https://login.example.com/realms/main/certs"
          mono
        />
      ) : (
        <JsonField {...bind(draft, "jwks")} label="JWKS" hint='{"keys": [ … ]}' nullable rows={10} />
      )}
      <Field label="Algorithms" path="algorithms" error={draft.errorBelow("algorithms")}>
        <Chips
          value={draft.value.algorithms}
          onChange={(next) => draft.set("algorithms", next as Algorithm[])}
          options={ALGORITHM_OPTIONS}
          disabled={draft.readOnly}
          mono
        />
      </Field>
      <ChipsField
        {...bind(draft, "types")}
        label="Accepted token types"
        hint="Values of the typ header. ID tokens are rejected"
        mono
      />
      <NumberField
        {...bind(draft, "maxTokenAgeSeconds")}
        label="Largest token age"
        hint="In seconds since iat. Older tokens are refused, even before they expire"
        className="max-w-64"
      />
    </Section>
  );
}

export const issuers: View<"issuers"> = {
  sort: "name",
  columns: [
    NAME_COLUMN,
    wideColumn("issuer", "Issuer", (row) => row.issuer, { mono: true }),
    {
      id: "audience",
      header: "Audience",
      cell: (row) => <span className="font-mono text-xs text-muted">{row.audience}</span>,
    },
    switchColumn("issuers", "enabled", { toInput: withoutMeta }),
    changedColumn(),
  ],
  bulk: switchActions("enabled"),
  blank: {
    name: "",
    description: "",
    issuer: "",
    audience: "quartermaster",
    jwksUri: null,
    jwks: null,
    algorithms: ["ES256", "RS256"],
    types: ["at+jwt", "jwt"],
    maxTokenAgeSeconds: 86_400,
    allowUnregistered: true,
    identityAssertions: false,
    capabilitiesClaim: null,
    enabled: true,
  },
  toInput: withoutMeta,
  Badges: ({ row }) => (row.enabled ? null : <Badge tone="warn">disabled</Badge>),
  Fields,
  Detail: [
    { value: "test", label: "Test a token", Panel: IssuerTokenTest, keeps: true },
    { value: "revocations", label: "Revoked tokens", Panel: IssuerRevocations, keeps: true },
  ],
};
