"use client";

import { bind } from "@/components/resource/editor/bind";
import { ChoiceField } from "@/components/resource/fields/choice-field";
import { SwitchField } from "@/components/resource/fields/switch-field";
import { TimeField } from "@/components/resource/fields/time-field";
import { Section } from "@/components/resource/section";
import type { FieldsProps, View } from "@/components/resource/view";
import { Badge } from "@/components/ui/badge";
import { Fact, Facts } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { credentialColumns } from "@/components/views/identity/credential-columns";
import { NameField } from "@/components/views/name-field";

function Fields({ draft, row }: FieldsProps<"tokens">) {
  return (
    <>
      <Section
        title="Access token"
        description="For automation: it opens the admin API with a role, at most the role its maker has. It ends when its maker is disabled or deleted. It never opens an agent's door."
      >
        <NameField draft={draft} label="Name" />
        <ChoiceField
          {...bind(draft, "role")}
          label="Role"
          options={[
            { value: "auditor", label: "Auditor", hint: "Reads everything, writes nothing" },
            { value: "editor", label: "Editor", hint: "Writes the catalogue and the rules" },
            { value: "admin", label: "Admin", hint: "Everything" },
          ]}
          className="max-w-64"
        />
        <TimeField
          {...bind(draft, "expiresAt")}
          label="Expires"
          hint="Empty: 90 days from now. At most a year."
          className="max-w-64"
        />
        <SwitchField {...bind(draft, "enabled")} label="Enabled" />
      </Section>
      {row !== null && (
        <Section title="Use">
          <Facts>
            <Fact label="Token">
              <code className="font-mono text-xs">qmp_…{row.lastFour}</code>
            </Fact>
            <Fact label="Created by">{row.createdBy}</Fact>
            <Fact label="Last used">{row.lastUsedAt === null ? "never" : <Time at={row.lastUsedAt} />}</Fact>
          </Facts>
        </Section>
      )}
    </>
  );
}

/** Personal access tokens. */
export const tokens: View<"tokens"> = {
  purpose: "An access token lets a script or a pipeline use the admin API with a role.",
  sort: "name",
  columns: [
    { id: "name", header: "Name", sorts: true, cell: (row) => row.name },
    { id: "role", header: "Role", cell: (row) => <Badge>{row.role}</Badge> },
    {
      id: "token",
      header: "Token",
      fields: ["lastFour"],
      cell: (row) => <code className="font-mono text-xs text-muted">qmp_…{row.lastFour}</code>,
    },
    { id: "createdBy", header: "Created by", cell: (row) => <span className="text-muted">{row.createdBy}</span> },
    ...credentialColumns,
  ],
  blank: { name: "", role: "auditor", expiresAt: null, enabled: true },
  toInput: ({ name, role, expiresAt, enabled }) => ({ name, role, expiresAt, enabled }),
  secretOf: (answer) =>
    "token" in answer && typeof answer.token === "string"
      ? { title: `Token ${answer.name}`, secret: answer.token }
      : null,
  Badges: ({ row }) => (row.enabled ? null : <Badge tone="warn">disabled</Badge>),
  Fields,
};
