import { NAME_COLUMN, textColumn } from "@/components/resource/columns";
import { bind } from "@/components/resource/editor/bind";
import { ChipsField } from "@/components/resource/fields/chips-field";
import { ReferenceField } from "@/components/resource/fields/choice-field";
import { JsonField } from "@/components/resource/fields/json-field";
import { SwitchField } from "@/components/resource/fields/switch-field";
import { switchActions, switchColumn } from "@/components/resource/list/switch-column";
import { Section } from "@/components/resource/section";
import { useTypedNames } from "@/components/resource/use-names";
import type { FieldsProps, View } from "@/components/resource/view";
import { Badge } from "@/components/ui/badge";
import { changedColumn, descriptionColumn } from "@/components/views/changed-column";
import { ClientRegistrations } from "@/components/views/identity/client-registrations";
import { NameAndDescription } from "@/components/views/name-field";
import { withoutMeta } from "@/components/views/row-input";

function Fields({ draft }: FieldsProps<"clients">) {
  const { picker } = useTypedNames("agents");
  return (
    <>
      <Section
        title="Client"
        description="A program that publishes no description of itself (client document). Its name is its client_id. People connect it as one of their agents."
      >
        <NameAndDescription draft={draft} />
        <SwitchField {...bind(draft, "enabled")} label="Enabled" hint="Tokens of a disabled client stop working" />
        <ChipsField
          {...bind(draft, "redirectUris")}
          label="Redirect addresses"
          hint="Compared exactly, except for the port of a loopback address"
          placeholder="http://127.0.0.1/callback"
          mono
        />
      </Section>
      <Section
        title="Client credentials"
        description="The client gets tokens by client credentials and acts as this agent. It signs its requests with its key."
      >
        <ReferenceField
          {...bind(draft, "agent")}
          label="Agent"
          {...picker}
          placeholder="None: a person must connect the client"
        />
        <JsonField
          {...bind(draft, "jwks")}
          label="Public keys"
          hint='A JSON Web Key Set, such as {"keys": [ … ]}. The guide shows how to make one'
          nullable
          rows={8}
        />
      </Section>
    </>
  );
}

export const clients: View<"clients"> = {
  sort: "name",
  columns: [
    NAME_COLUMN,
    descriptionColumn(),
    textColumn("agent", "Agent", (row) => row.agent ?? "a person’s"),
    switchColumn("clients", "enabled", { toInput: withoutMeta }),
    changedColumn(),
  ],
  bulk: switchActions("enabled"),
  blank: { name: "", description: "", enabled: true, redirectUris: [], agent: null, jwks: null },
  toInput: withoutMeta,
  Above: ClientRegistrations,
  Badges: ({ row }) => (row.enabled ? null : <Badge tone="warn">disabled</Badge>),
  Fields,
};
