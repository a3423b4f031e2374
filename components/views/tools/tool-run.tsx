import { useRef, type ComponentType } from "react";
import { within, type Bound } from "@/components/resource/editor/bind";
import { ChoiceField } from "@/components/resource/fields/choice-field";
import { JsonField } from "@/components/resource/fields/json-field";
import { TextField } from "@/components/resource/fields/text-field";
import { Segmented } from "@/components/ui/forms/segmented";
import { BLANK_SCRIPT, ToolScript } from "@/components/views/tools/tool-script";
import type { Input } from "@/lib/resources";

type Run = Input<"tools">["run"];
type RunKind = NonNullable<Run>["kind"];
type RunOf<K extends RunKind> = Extract<Run, { kind: K }>;

const METHODS = (["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const).map((value) => ({
  value,
  label: value,
}));

interface RunForm<K extends RunKind> {
  /** The option of this kind and its initial value; `null` = only an import creates such tools. */
  readonly choice: { readonly label: string; readonly blank: RunOf<K> } | null;
  readonly Fields: ComponentType<{ run: Bound<RunOf<K>> }>;
}

const FORMS: { readonly [K in RunKind]: RunForm<K> } = {
  http: {
    choice: {
      label: "HTTP request",
      blank: { kind: "http", method: "GET", url: "https://", headers: {}, parameters: [], body: null },
    },
    Fields: HttpFields,
  },
  mcp: { choice: null, Fields: McpFields },
  script: { choice: { label: "Script", blank: BLANK_SCRIPT }, Fields: ToolScript },
};

const CODE = "code" as const;
const CHOICES = [
  { value: CODE, label: "Built-in code", blank: null },
  ...(Object.keys(FORMS) as RunKind[]).flatMap((value) => {
    const { choice } = FORMS[value];
    return choice === null ? [] : [{ value, ...choice }];
  }),
];

/** How a call runs: a request or a script. Built-in tools run code of Quartermaster; an MCP tool runs on its server under its remote name. */
export function ToolRun({ bound }: { bound: Bound<Run> }) {
  const { value } = bound;
  // The radio buttons select with the arrow keys, so a step too far must not lose a script.
  const left = useRef<{ [K in RunKind]?: Run }>({});
  const choose = (kind: RunKind | typeof CODE) => {
    if (value !== null) left.current[value.kind] = value;
    bound.onChange(kind === CODE ? null : (left.current[kind] ?? FORMS[kind].choice?.blank ?? null));
  };
  // Each form takes only the runs of its kind. TypeScript cannot follow this through the table.
  const Fields = value === null ? null : (FORMS[value.kind].Fields as ComponentType<{ run: Bound<Run> }>);
  return (
    <>
      {(value === null || FORMS[value.kind].choice !== null) && (
        <Segmented
          label="Runner"
          value={value?.kind ?? CODE}
          onChange={choose}
          options={CHOICES}
          disabled={bound.readOnly}
        />
      )}
      {Fields === null ? (
        <p className="text-sm text-muted">
          Only built-in tools have code. Your own tools send HTTP requests or run scripts
        </p>
      ) : (
        <Fields run={bound} />
      )}
    </>
  );
}

function McpFields({ run }: { run: Bound<RunOf<"mcp">> }) {
  return <TextField {...within(run, "tool")} label="Tool" hint="The name of the tool at its MCP server" mono />;
}

function HttpFields({ run }: { run: Bound<RunOf<"http">> }) {
  return (
    <>
      <div className="grid grid-cols-[8rem_1fr] gap-3">
        <ChoiceField {...within(run, "method")} label="Method" options={METHODS} />
        <TextField {...within(run, "url")} label="URL" hint="{name} marks a path parameter" mono />
      </div>
      <JsonField
        {...within(run, "parameters")}
        label="Parameters"
        hint='[{"property": "id", "name": "id", "in": "path"}]. Says how each argument is sent; "style" and "explode" as in OpenAPI'
        rows={4}
      />
      <JsonField
        {...within(run, "headers")}
        label="Headers"
        hint="Fixed headers. Credentials belong in the source"
        rows={2}
      />
      <JsonField
        {...within(run, "body")}
        label="Body"
        nullable
        hint='{"whole": "order"} sends this argument as the body. {"properties": […]} names the members of the body. "contentType" sets the format'
        rows={3}
      />
    </>
  );
}
