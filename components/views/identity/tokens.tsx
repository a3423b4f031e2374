import { NAME_COLUMN } from "@/components/resource/columns";
import { bind } from "@/components/resource/editor/bind";
import { ChoiceField } from "@/components/resource/fields/choice-field";
import { SwitchField } from "@/components/resource/fields/switch-field";
import { TimeField } from "@/components/resource/fields/time-field";
import { Section } from "@/components/resource/section";
import type { FieldsProps, View } from "@/components/resource/view";
import { Badge } from "@/components/ui/badge";
import { CodeFact, Fact, Facts, TimeFact } from "@/components/ui/text/facts";
import { credentialColumns } from "@/components/views/identity/credential-columns";
import { NameField } from "@/components/views/name-field";

function Fields({ draft, row }: FieldsProps<"tokens">) {
  return (
    <>
      <Section
        title="Access token"
        description="For automation. The token gives access to the admin API with a role, at most the role of its creator. It stops working when its creator is disabled or deleted. Agents cannot use it."
      >
        <NameField draft={draft} />
        <ChoiceField
          {...bind(draft, "role")}
          label="Role"
          options={[
            { value: "auditor", label: "Auditor", hint: "Can read everything" },
            { value: "editor", label: "Editor", hint: "Can change tools and rules, and approve" },
            { value: "admin", label: "Admin", hint: "Can change everything" },
          ]}
          className="max-w-64"
        />
        <TimeField
          {...bind(draft, "expiresAt")}
          label="Expires"
          hint="At most one year. Leave empty for 90 days from now"
          className="max-w-64"
        />
        <SwitchField {...bind(draft, "enabled")} label="Enabled" />
      </Section>
      {row !== null && (
        <Section title="Use">
          <Facts>
            <CodeFact label="Token" code={`qmp_…${row.lastFour}`} />
            <Fact label="Created by">{row.createdBy}</Fact>
            <TimeFact label="Last used" at={row.lastUsedAt} />
          </Facts>
        </Section>
      )}
    </>
  );
}

export const tokens: View<"tokens"> = {
  sort: "name",
  columns: [
    NAME_COLUMN,
    { id: "role", header: "Role", cell: (row) => <Badge>{row.role}</Badge> },
    {
      id: "token",
      header: "Token",
      fields: ["lastFour"],
      cell: (row) => <code className="font-mono text-xs whitespace-nowrap text-muted">qmp_…{row.lastFour}</code>,
    },
    { id: "createdBy", header: "Created by", cell: (row) => <span className="text-muted">{row.createdBy}</span> },
    ...credentialColumns,
  ],
  blank: { name: "", role: "auditor", expiresAt: null, enabled: true },
  toInput: ({ name, role, expiresAt, enabled }) => ({ name, role, expiresAt, enabled }),
  secretOf: (answer) =>
    "token" in answer && typeof answer.token === "string"
      ? { title: `Token ${answer.name}`, what: "token", secret: answer.token }
      : null,
  Badges: ({ row }) => (row.enabled ? null : <Badge tone="warn">disabled</Badge>),
  Fields,
};
