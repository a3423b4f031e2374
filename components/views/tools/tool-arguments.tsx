import { useState } from "react";
import { toOptions } from "@/components/ui/forms/options";
import { Field } from "@/components/ui/forms/field";
import { JsonEditor } from "@/components/ui/json/json-editor";
import { Segmented } from "@/components/ui/forms/segmented";
import { lazyPart } from "@/components/ui/lazy-part";
import { Skeleton } from "@/components/ui/skeleton";
import { ArgumentErrors } from "@/components/views/tools/argument-errors";
import type { ArgumentProblem } from "@/components/views/tools/tool-argument-problems";
import { formSchema } from "@/components/views/tools/form/tool-form-schema";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { isObject } from "@/lib/access/model/json";

const ToolForm = lazyPart(
  async () => (await import("@/components/views/tools/form/tool-form")).ToolForm,
  <Skeleton className="w-full max-w-2xl" />,
);

const INPUT_MODES = toOptions({ form: "Form", json: "JSON" });

interface ToolArgumentsProps {
  schema: JsonObject;
  value: Json;
  onChange: (value: Json) => void;
  /** The server's problems with the arguments. */
  problems: readonly ArgumentProblem[];
  /** Called with a problem that blocks sending, and the id of its field. */
  block: (id: string, problem: string | null) => void;
}

/** A call's arguments: a form made from the input schema, or JSON, for what a form cannot express. */
export function ToolArguments({ schema, value, onChange, problems, block }: ToolArgumentsProps) {
  const form = formSchema(schema);
  const [mode, setMode] = useState<"form" | "json">("form");
  if (form.schema === null) return <JsonArguments hint={form.reason} {...{ value, onChange, problems, block }} />;
  const notInForm = argumentsNotIn(form.schema, value);
  return (
    <>
      <Segmented label="Arguments as" value={mode} onChange={setMode} options={INPUT_MODES} />
      {mode === "json" ? (
        <JsonArguments hint="Checked against the tool's input schema" {...{ value, onChange, problems, block }} />
      ) : (
        <>
          <ToolForm
            schema={form.schema}
            value={isObject(value) ? value : {}}
            onChange={onChange}
            problems={problems}
            block={block}
          />
          {notInForm.length > 0 && (
            <p className="text-xs text-faint">Also sent, from the JSON: {notInForm.join(", ")}.</p>
          )}
        </>
      )}
    </>
  );
}

function JsonArguments({
  hint,
  value,
  onChange,
  problems,
  block,
}: Omit<ToolArgumentsProps, "schema"> & { hint: string }) {
  const messages = problems.map(({ pointer, message }) => (pointer === "" ? message : `${pointer} ${message}`));
  return (
    <Field
      label="Arguments"
      hint={hint}
      error={messages.length === 0 ? undefined : <ArgumentErrors errors={messages} />}
    >
      <JsonEditor
        value={value}
        onChange={(next) => onChange(next as Json)}
        onProblem={(problem) => block("json", problem)}
        rows={6}
        aria-label="Arguments"
      />
    </Field>
  );
}

/** The arguments for which the form has no field. */
function argumentsNotIn(schema: JsonObject, value: Json): readonly string[] {
  if (!isObject(value) || schema["additionalProperties"] !== undefined || schema["oneOf"] !== undefined) return [];
  const { properties, allOf } = schema;
  if (allOf !== undefined || !isObject(properties)) return [];
  return Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
}
