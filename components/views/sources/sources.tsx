import { NAME_COLUMN, textColumn, wideColumn } from "@/components/resource/columns";
import { toOptions } from "@/components/ui/forms/options";
import { bind, within } from "@/components/resource/editor/bind";
import { ChoiceField } from "@/components/resource/fields/choice-field";
import { OptionalNumberField } from "@/components/resource/fields/number-field";
import { OptionalTextField, TextField } from "@/components/resource/fields/text-field";
import { switchActions, switchColumn } from "@/components/resource/list/switch-column";
import { Section } from "@/components/resource/section";
import type { FieldsProps, View } from "@/components/resource/view";
import { Badge } from "@/components/ui/badge";
import { TextLink } from "@/components/ui/text-link";
import { VisibleText } from "@/components/ui/visible-text";
import { changedColumn } from "@/components/views/changed-column";
import { DisabledNote } from "@/components/views/disabled-note";
import { EnabledFields } from "@/components/views/enabled-fields";
import { BLANK_SOURCE } from "@/components/views/sources/blank-source";
import { ConnectMcpButton } from "@/components/views/sources/connect-mcp-button";
import { ImportButton } from "@/components/views/sources/import-button";
import { ImportToolsButton } from "@/components/views/sources/import-tools-button";
import { NameField } from "@/components/views/name-field";
import { withoutMeta } from "@/components/views/row-input";
import { OutputCheckField } from "@/components/views/tools/output-check-field";
import { originsOf, SourceAuth } from "@/components/views/sources/source-auth";
import { SOURCE_FORMS } from "@/components/views/sources/source-forms";
import { SourceHealth } from "@/components/views/sources/source-health";
import { SourceHealthBadge } from "@/components/views/sources/source-syncs";
import { SyncButton } from "@/components/views/sources/sync-button";
import { isImportedKind, SOURCE_KIND_NAMES, SOURCE_KINDS } from "@/lib/resources/source-kinds";

const KINDS = SOURCE_KIND_NAMES.map((value) => {
  const { label, hint } = SOURCE_KINDS[value];
  return { value, label, hint: hint ?? undefined };
});

function Fields({ draft, row }: FieldsProps<"sources">) {
  const { kind, url } = draft.value;
  const { run, upstream, credentials, idempotencyHeader, outputCheck } = SOURCE_KINDS[kind];
  const Form = SOURCE_FORMS[kind];
  return (
    <>
      <Section title="Source" description="A system that provides tools.">
        <NameField
          draft={draft}
          label="Name"
          hint="The first part of the tools’ ids. It cannot be changed later"
          fixed
        />
        <ChoiceField {...bind(draft, "kind")} label="Kind" options={KINDS} className="max-w-64" />
        <OptionalTextField {...bind(draft, "displayName")} label="Display name" />
        <TextField {...bind(draft, "description")} label="Description" multiline />
        {Form !== null && <Form draft={draft} />}
        <EnabledFields
          enabled={bind(draft, "enabled")}
          reason={bind(draft, "disabledReason")}
          hint="A disabled source hides all its tools"
          reasonHint="Agents get this reason when they call a tool of this source"
        />
        {row !== null && (
          <TextLink href={`/admin/tools?source=${encodeURIComponent(row.name)}`}>Tools of this source</TextLink>
        )}
      </Section>
      {credentials && (
        <Section title="Authentication" description="How Quartermaster authenticates to the upstream.">
          <SourceAuth bound={bind(draft, "auth")} origins={originsOf([url ?? ""])} />
        </Section>
      )}
      {isImportedKind(kind) && <SyncFields draft={draft} />}
      {idempotencyHeader && <Retries draft={draft} />}
      {run !== null && (
        <Section title="Results">
          <OutputCheckField bound={bind(draft, "outputCheck")} inherited={INHERITED[outputCheck]} />
        </Section>
      )}
      {upstream && (
        <Section title="Limits" description="For each process. Up to 50 further calls wait for a free slot.">
          <OptionalNumberField
            {...within(bind(draft, "limits"), "concurrency")}
            label="Concurrent calls"
            placeholder="10"
            className="max-w-64"
          />
        </Section>
      )}
    </>
  );
}

/** The label of the default output check. */
const INHERITED = { warn: "Default: pass on with a warning", withhold: "Default: withhold" } as const;

function Retries({ draft }: Pick<FieldsProps<"sources">, "draft">) {
  return (
    <Section
      title="Retries"
      description="Quartermaster repeats a request that may have taken effect only if the upstream supports idempotency keys."
    >
      <OptionalTextField
        {...bind(draft, "idempotencyHeader")}
        label="Idempotency header"
        placeholder="none"
        hint="The header that the upstream reads, such as Idempotency-Key"
        className="max-w-64"
        mono
      />
    </Section>
  );
}

function SyncFields({ draft }: Pick<FieldsProps<"sources">, "draft">) {
  return (
    <Section
      title="Sync"
      description="A sync reads the source again from its address. Changed tools are quarantined until somebody approves them."
    >
      <OptionalNumberField
        {...bind(draft, "syncMinutes")}
        label="Interval in minutes"
        placeholder="manual only"
        hint="From 5 to 10,080 (one week)"
        className="max-w-64"
      />
      <ChoiceField
        {...bind(draft, "joinNewOperations")}
        label="New operations"
        className="max-w-64"
        options={toOptions({ review: "Wait for review", automatic: "Add automatically" })}
      />
    </Section>
  );
}

/** Where tools come from. */
export const sources: View<"sources"> = {
  whenEmpty: "Import an OpenAPI document, connect an MCP server, or describe tools by hand.",
  sort: "name",
  filters: [
    { key: "kind", label: "Kind", options: KINDS },
    {
      key: "enabled",
      label: "Enabled",
      options: toOptions({ true: "Enabled", false: "Disabled" }),
    },
  ],
  columns: [
    NAME_COLUMN,
    textColumn("kind", "Kind", (row) => SOURCE_KINDS[row.kind].label, { sorts: true }),
    wideColumn("description", "Description", (row) =>
      row.description === "" ? row.url : <VisibleText text={row.description} />,
    ),
    { id: "health", header: "Health", cell: (row) => <SourceHealthBadge source={row.name} /> },
    { id: "auth", header: "Authentication", cell: (row) => <Badge>{row.auth.mode.replace("_", " ")}</Badge> },
    switchColumn("sources", "enabled", { toInput: withoutMeta, sorts: true }),
    changedColumn(),
  ],
  bulk: switchActions("enabled", { asksReason: true }),
  blank: BLANK_SOURCE,
  toInput: withoutMeta,
  Notice: ({ row }) => (
    <DisabledNote row={row}>
      Agents do not see the tools of this source. To offer them again, turn on Enabled below and save.
    </DisabledNote>
  ),
  Badges: ({ row }) => (
    <>
      <Badge>{SOURCE_KINDS[row.kind].label}</Badge>
      {!row.enabled && <Badge tone="warn">disabled</Badge>}
    </>
  ),
  RowActions: ({ row }) => (
    <>
      {isImportedKind(row.kind) && (row.url ?? row.command) !== null && (
        <>
          <ImportToolsButton
            source={row.name}
            noun={SOURCE_KINDS[row.kind].imports === "server" ? "tool" : "operation"}
          />
          <SyncButton source={row.name} />
        </>
      )}
    </>
  ),
  prefersActions: true,
  Actions: () => (
    <>
      <ConnectMcpButton />
      <ImportButton />
    </>
  ),
  Detail: [{ value: "health", label: "Health", Panel: SourceHealth }],
  Fields,
};
