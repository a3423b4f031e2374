import { toOptions } from "@/components/ui/forms/options";
import { bind } from "@/components/resource/editor/bind";
import { ChoiceField } from "@/components/resource/fields/choice-field";
import { SwitchField } from "@/components/resource/fields/switch-field";
import { TextField } from "@/components/resource/fields/text-field";
import { Section } from "@/components/resource/section";
import { NAME_COLUMN, textColumn, timeColumn } from "@/components/resource/columns";
import type { FieldsProps, View } from "@/components/resource/view";
import { Badge } from "@/components/ui/badge";
import { Fact, Facts, TimeFact } from "@/components/ui/text/facts";
import type { Row } from "@/lib/resources";
import { HandOver, ResetPassword } from "@/components/views/identity/reset-password";
import { NameField } from "@/components/views/name-field";

function Fields({ draft, row }: FieldsProps<"users">) {
  const fromProvider = row !== null && row.issuer !== null;
  const theirs = { readOnly: draft.readOnly || fromProvider };
  return (
    <>
      <Section
        title="User"
        description={
          fromProvider
            ? "The OpenID provider sets e-mail, display name and role at every sign-in. Disable the account to lock the person out. A deleted account is created again at the next sign-in."
            : draft.isNew
              ? "A person who signs in to Quartermaster. You get the password after you create the account."
              : "A person who signs in to Quartermaster. Changing the role or disabling the account ends the sessions of this person at once."
        }
      >
        <NameField draft={draft} />
        <TextField
          {...bind(draft, "email")}
          {...theirs}
          label="E-mail"
          hint={draft.isNew ? "The sign-in name" : undefined}
        />
        <TextField {...bind(draft, "displayName")} {...theirs} label="Display name" />
        <ChoiceField
          {...bind(draft, "role")}
          {...theirs}
          label="Role"
          options={ROLES}
          hint={ROLES.find(({ value }) => value === draft.value.role)?.hint}
          className="max-w-64"
        />
        <SwitchField {...bind(draft, "enabled")} label="Enabled" />
      </Section>
      {row !== null && <SignIn row={row} />}
    </>
  );
}

const ROLES = [
  { value: "auditor", label: "Auditor", hint: "Can read and export everything, and change nothing" },
  { value: "editor", label: "Editor", hint: "Can change tools and rules, and approve" },
  { value: "admin", label: "Admin", hint: "Can do everything" },
] as const;

function SignIn({ row }: { row: Row<"users"> }) {
  return (
    <Section title="Sign-in">
      <Facts>
        <Fact label="Sign-in method">{row.issuer === null ? "a password" : "OpenID Connect"}</Fact>
        {row.issuer !== null && (
          <>
            <Fact label="Issuer">
              <code className="font-mono text-xs break-all">{row.issuer}</code>
            </Fact>
            <Fact label="Subject">
              <code className="font-mono text-xs break-all">{row.subject}</code>
            </Fact>
          </>
        )}
        <TimeFact label="Last sign-in" at={row.lastSignInAt} />
        {row.issuer === null && (
          <Fact label="Forgotten password">
            <ResetPassword row={row} />
          </Fact>
        )}
      </Facts>
    </Section>
  );
}

export const users: View<"users"> = {
  sort: "name",
  filters: [
    {
      key: "role",
      label: "Role",
      options: toOptions({ admin: "Admin", editor: "Editor", auditor: "Auditor" }),
    },
  ],
  columns: [
    NAME_COLUMN,
    { id: "displayName", header: "Display name", cell: (row) => row.displayName },
    textColumn("email", "E-mail", (row) => row.email, { sorts: true }),
    textColumn("issuer", "Sign-in method", (row) => (row.issuer === null ? "password" : "OpenID")),
    { id: "role", header: "Role", sorts: true, cell: (row) => <Badge>{row.role}</Badge> },
    timeColumn("lastSignInAt", "Last sign-in"),
    {
      id: "enabled",
      header: "Status",
      cell: (row) => <Badge tone={row.enabled ? "allow" : "warn"}>{row.enabled ? "enabled" : "disabled"}</Badge>,
    },
  ],
  blank: { name: "", email: "", displayName: "", role: "auditor", enabled: true },
  toInput: ({ name, email, displayName, role, enabled }) => ({ name, email, displayName, role, enabled }),
  secretOf: (answer) =>
    "password" in answer && typeof answer.password === "string"
      ? { title: `Password of ${answer.name}`, what: "password", secret: answer.password }
      : null,
  SecretUse: ({ row }) => <HandOver row={row} />,
  Badges: ({ row }) => (row.enabled ? null : <Badge tone="warn">disabled</Badge>),
  Fields,
};
