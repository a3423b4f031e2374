"use client";

import { within, type Bound } from "@/components/resource/bind";
import { ChoiceField } from "@/components/resource/fields/choice-field";
import { JsonField } from "@/components/resource/fields/json-field";
import { TextField } from "@/components/resource/fields/text-field";
import { Switch } from "@/components/ui/switch";
import type { Input } from "@/lib/resources";

type Run = Input<"tools">["run"];
type HttpRun = NonNullable<Run>;

const METHODS = (["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const).map((value) => ({
  value,
  label: value,
}));
const BLANK: HttpRun = { kind: "http", method: "GET", url: "https://", headers: {}, parameters: [], body: null };

/** How a call becomes a request. Built-in tools have code instead. */
export function ToolRun({ bound }: { bound: Bound<Run> }) {
  const { value } = bound;
  return (
    <>
      <Switch
        checked={value !== null}
        onChange={(on) => bound.onChange(on ? BLANK : null)}
        label="Calls an HTTP endpoint"
        hint="Off: code of this installation runs it."
        disabled={bound.readOnly}
      />
      {value !== null && <HttpFields bound={{ ...bound, value }} />}
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
        hint='[{"property": "id", "name": "id", "in": "path"}]: how each argument travels.'
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
        hint='{"whole": "order"} sends that argument as the body; {"properties": […]} names its members.'
        rows={3}
      />
    </>
  );
}
