"use client";

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
import { ImportButton } from "@/components/views/sources/import-button";
import { ImportToolsButton } from "@/components/views/sources/import-tools-button";
import { McpServer } from "@/components/views/sources/mcp-server";
import { NameField } from "@/components/views/name-field";
import { withoutMeta } from "@/components/views/row-input";
import { OutputCheckField } from "@/components/views/tools/output-check-field";
import { originsOf, SourceAuth } from "@/components/views/sources/source-auth";
import { SourceHealth } from "@/components/views/sources/source-health";
import { SourceHealthBadge } from "@/components/views/sources/source-syncs";
import { SyncButton } from "@/components/views/sources/sync-button";

const KINDS = [
  { value: "openapi", label: "OpenAPI document" },
  { value: "mcp", label: "MCP server" },
  { value: "http", label: "HTTP", hint: "Tools described by hand" },
  { value: "script", label: "Script" },
  { value: "builtin", label: "Built in" },
] as const;

const KIND_WORDS = Object.fromEntries(KINDS.map(({ value, label }) => [value, label]));

function Fields({ draft, row }: FieldsProps<"sources">) {
  const { kind } = draft.value;
  return (
    <>
      <Section title="Source" description="Where tools come from.">
        <NameField draft={draft} label="Name" hint="The first part of its tools' ids; it never changes." fixed />
        <ChoiceField {...bind(draft, "kind")} label="Kind" options={KINDS} className="max-w-64" />
        <OptionalTextField {...bind(draft, "displayName")} label="Display name" />
        <TextField {...bind(draft, "description")} label="Description" multiline />
        {kind === "openapi" && (
          <OptionalTextField
            {...bind(draft, "url")}
            label="URL"
            hint="Of the document: synchronising reads it again."
            mono
          />
        )}
        {kind === "mcp" && <McpServer draft={draft} />}
        <EnabledFields
          enabled={bind(draft, "enabled")}
          reason={bind(draft, "disabledReason")}
          hint="A disabled source hides all its tools"
          reasonHint="Agents are told this when they call a tool of this source"
        />
        {row !== null && (
          <TextLink href={`/admin/tools?source=${encodeURIComponent(row.name)}`}>Tools of this source</TextLink>
        )}
      </Section>
      {kind !== "builtin" && (
        <>
          {kind !== "script" && (
            <Section title="Authentication" description="To the upstream, for the calls of this source's tools.">
              <SourceAuth bound={bind(draft, "auth")} origins={originsOf([draft.value.url ?? ""])} />
            </Section>
          )}
          {(kind === "openapi" || kind === "mcp") && (
            <Section
              title="Synchronising"
              description="The source is read again from its address. What changed waits for review, and its tool in quarantine."
            >
              <OptionalNumberField
                {...bind(draft, "syncMinutes")}
                label="Every so many minutes"
                placeholder="by hand"
                hint="From 5 to 10,080, which is a week."
                className="max-w-64"
              />
              <ChoiceField
                {...bind(draft, "joinNewOperations")}
                label="New operations"
                className="max-w-64"
                options={[
                  { value: "review", label: "Wait for review" },
                  { value: "automatic", label: "Join automatically" },
                ]}
              />
            </Section>
          )}
          {(kind === "openapi" || kind === "http") && (
            <Section
              title="Retries"
              description="A request that may have taken effect is not sent again, unless the upstream honours idempotency keys."
            >
              <OptionalTextField
                {...bind(draft, "idempotencyHeader")}
                label="Idempotency header"
                placeholder="none"
                hint="The header in which the upstream takes the key, such as Idempotency-Key"
                className="max-w-64"
                mono
              />
            </Section>
          )}
          <Section title="Answers">
            <OutputCheckField
              bound={bind(draft, "outputCheck")}
              inherited={kind === "openapi" || kind === "mcp" ? "Default: pass on with a warning" : "Default: withhold"}
            />
          </Section>
          <Section title="Limits" description="Of each process. More calls wait for a place, 50 at most.">
            <OptionalNumberField
              {...within(bind(draft, "limits"), "concurrency")}
              label="Calls at once"
              placeholder="10"
              className="max-w-64"
            />
          </Section>
        </>
      )}
    </>
  );
}

/** Where tools come from. */
export const sources: View<"sources"> = {
  purpose: "Import an OpenAPI document, add an MCP server and import its tools, or describe tools by hand.",
  sort: "name",
  filters: [
    { key: "kind", label: "Kind", options: KINDS },
    {
      key: "enabled",
      label: "Enabled",
      options: [
        { value: "true", label: "Enabled" },
        { value: "false", label: "Disabled" },
      ],
    },
  ],
  columns: [
    { id: "name", header: "Name", sorts: true, className: "whitespace-nowrap", cell: (row) => row.name },
    {
      id: "kind",
      header: "Kind",
      sorts: true,
      className: "whitespace-nowrap",
      cell: (row) => <span className="text-muted">{KIND_WORDS[row.kind]}</span>,
    },
    {
      id: "description",
      header: "Description",
      className: "w-full max-w-0 min-w-40",
      cell: (row) => (
        <span className="block truncate text-muted">
          {row.description === "" ? row.url : <VisibleText text={row.description} />}
        </span>
      ),
    },
    { id: "health", header: "Health", cell: (row) => <SourceHealthBadge source={row.name} /> },
    { id: "auth", header: "Authentication", cell: (row) => <Badge>{row.auth.mode.replace("_", " ")}</Badge> },
    switchColumn("sources", "enabled", { toInput: withoutMeta, sorts: true }),
    changedColumn(),
  ],
  bulk: switchActions("enabled", { asksReason: true }),
  blank: {
    name: "",
    kind: "http",
    displayName: null,
    description: "",
    url: null,
    command: null,
    enabled: true,
    disabledReason: null,
    auth: { mode: "none" },
    joinNewOperations: "review",
    syncMinutes: null,
    outputCheck: null,
    limits: { concurrency: null },
    idempotencyHeader: null,
  },
  toInput: withoutMeta,
  Notice: DisabledNote,
  Badges: ({ row }) => (
    <>
      <Badge>{KIND_WORDS[row.kind]}</Badge>
      {!row.enabled && <Badge tone="warn">disabled</Badge>}
    </>
  ),
  RowActions: ({ row }) => (
    <>
      {row.kind === "mcp" && <ImportToolsButton source={row.name} />}
      {(row.kind === "openapi" || row.kind === "mcp") && (row.url ?? row.command) !== null && (
        <SyncButton source={row.name} />
      )}
    </>
  ),
  Actions: ImportButton,
  Detail: [{ value: "health", label: "Health", Panel: SourceHealth }],
  Fields,
};
