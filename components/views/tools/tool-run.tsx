"use client";

import { within, type Bound } from "@/components/resource/editor/bind";
import { ChoiceField } from "@/components/resource/fields/choice-field";
import { JsonField } from "@/components/resource/fields/json-field";
import { TextField } from "@/components/resource/fields/text-field";
import { Segmented } from "@/components/ui/segmented";
import { BLANK_SCRIPT, ToolScript } from "@/components/views/tools/tool-script";
import type { Input } from "@/lib/resources";

type Run = Input<"tools">["run"];
type HttpRun = Extract<Run, { kind: "http" }>;
type McpRun = Extract<Run, { kind: "mcp" }>;

const METHODS = (["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const).map((value) => ({
  value,
  label: value,
}));
const KINDS = [
  { value: "code", label: "Code of this installation" },
  { value: "http", label: "HTTP request" },
  { value: "script", label: "Script" },
] as const;
const BLANK: Readonly<Record<(typeof KINDS)[number]["value"], Run>> = {
  code: null,
  http: { kind: "http", method: "GET", url: "https://", headers: {}, parameters: [], body: null },
  script: BLANK_SCRIPT,
};

/** How a call runs: a request or a script. Built-in tools have code; an MCP tool has its name at the server. */
export function ToolRun({ bound }: { bound: Bound<Run> }) {
  const { value } = bound;
  if (value?.kind === "mcp") {
    const run: Bound<McpRun> = { ...bound, value };
    return <TextField {...within(run, "tool")} label="Tool" hint="As its MCP server calls it." mono />;
  }
  return (
    <>
      <Segmented
        label="What runs it"
        value={value?.kind ?? "code"}
        onChange={(kind) => bound.onChange(BLANK[kind])}
        options={KINDS}
        disabled={bound.readOnly}
      />
      {value === null && (
        <p className="text-sm text-muted">
          Only built-in tools have code here: a tool of your own sends an HTTP request or runs a script.
        </p>
      )}
      {value?.kind === "http" && <HttpFields bound={{ ...bound, value }} />}
      {value?.kind === "script" && <ToolScript run={{ ...bound, value }} />}
    </>
  );
}

function HttpFields({ bound }: { bound: Omit<Bound<Run>, "value"> & { value: HttpRun } }) {
  const run: Bound<HttpRun> = bound;
  return (
    <>
      <div className="grid grid-cols-[8rem_1fr] gap-3">
        <ChoiceField {...within(run, "method")} label="Method" options={METHODS} />
        <TextField {...within(run, "url")} label="URL" hint="{name} stands for a path parameter." mono />
      </div>
      <JsonField
        {...within(run, "parameters")}
        label="Parameters"
        hint='[{"property": "id", "name": "id", "in": "path"}]: how each argument travels; "style" and "explode" as in OpenAPI.'
        rows={4}
      />
      <JsonField
        {...within(run, "headers")}
        label="Headers"
        hint="Fixed ones. Credentials belong to the source."
        rows={2}
      />
      <JsonField
        {...within(run, "body")}
        label="Body"
        nullable
        hint='{"whole": "order"} sends that argument as the body; {"properties": […]} names its members; "contentType" how it is written.'
        rows={3}
      />
    </>
  );
}
