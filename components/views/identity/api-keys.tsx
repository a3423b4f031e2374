import { ConnectWith } from "@/components/agents/connect-with";
import { NAME_COLUMN } from "@/components/resource/columns";
import { bind } from "@/components/resource/editor/bind";
import { SwitchField } from "@/components/resource/fields/switch-field";
import { TimeField } from "@/components/resource/fields/time-field";
import { Section } from "@/components/resource/section";
import { useTypedNames } from "@/components/resource/use-names";
import type { FieldsProps, View } from "@/components/resource/view";
import { Badge } from "@/components/ui/badge";
import { Combobox } from "@/components/ui/forms/combobox";
import { Field } from "@/components/ui/forms/field";
import { LinkButton } from "@/components/ui/link-button";
import { CodeFact, Facts, TimeFact } from "@/components/ui/text/facts";
import { credentialColumns } from "@/components/views/identity/credential-columns";
import { NameField } from "@/components/views/name-field";
import { PreviousKey, RotateKey } from "@/components/views/identity/rotate-key";

function Fields({ draft, row }: FieldsProps<"api-keys">) {
  const { picker } = useTypedNames("agents");
  return (
    <>
      <Section
        title="API key"
        description="The credential of an agent. The attributes of the agent are the claims of the key."
      >
        <NameField draft={draft} />
        <Field label="Agent" path="agent" error={draft.error("agent")}>
          <Combobox
            value={draft.value.agent === "" ? null : draft.value.agent}
            onChange={(agent) => draft.set("agent", agent ?? "")}
            {...picker}
            placeholder="Choose an agent"
            disabled={draft.readOnly || !draft.isNew}
            clearable={false}
          />
        </Field>
        <TimeField
          {...bind(draft, "expiresAt")}
          label="Expires"
          hint="Leave empty for 90 days from now"
          className="max-w-64"
        />
        <SwitchField {...bind(draft, "enabled")} label="Enabled" />
      </Section>
      {row !== null && (
        <Section title="Use">
          <Facts>
            <CodeFact label="Key" code={`qm_${row.keyId}_…${row.lastFour}`} />
            <TimeFact label="Last used" at={row.lastUsedAt} />
          </Facts>
          <PreviousKey row={row} />
        </Section>
      )}
    </>
  );
}

export const apiKeys: View<"api-keys"> = {
  whenEmpty: "A registered agent lists and calls its tools with an API key.",
  sort: "name",
  filters: [{ key: "agent", label: "Agent", names: "agents" }],
  columns: [
    NAME_COLUMN,
    { id: "agent", header: "Agent", sorts: true, cell: (row) => row.agent, className: "whitespace-nowrap" },
    {
      id: "key",
      header: "Key",
      fields: ["keyId", "lastFour"],
      className: "whitespace-nowrap",
      cell: (row) => <code className="font-mono text-xs text-muted">{`qm_${row.keyId}_…${row.lastFour}`}</code>,
    },
    ...credentialColumns,
  ],
  blank: { name: "", agent: "", expiresAt: null, enabled: true },
  toInput: ({ name, agent, expiresAt, enabled }) => ({ name, agent, expiresAt, enabled }),
  secretOf: (answer) =>
    "key" in answer && typeof answer.key === "string"
      ? { title: `API key ${answer.name}`, what: "API key", secret: answer.key }
      : null,
  SecretUse: ({ row: { agent }, secret }) => <ConnectWith agent={agent} secret={secret} />,
  RowActions: RotateKey,
  Badges: ({ row }) => (row.enabled ? null : <Badge tone="warn">disabled</Badge>),
  Actions: () => (
    <LinkButton href="/admin/agents" variant="ghost">
      Agents
    </LinkButton>
  ),
  Fields,
};
