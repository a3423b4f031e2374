"use client";

import { LazyScriptEditor } from "@/components/code/lazy-script-editor";
import { within, type Bound } from "@/components/resource/editor/bind";
import { NumberField } from "@/components/resource/fields/number-field";
import { Field } from "@/components/ui/forms/field";
import type { Input } from "@/lib/resources";

/** The part of a tool that is a script. */
export type ScriptRun = Extract<Input<"tools">["run"], { kind: "script" }>;

/** The initial text of a script, which shows everything that scripts can use. */
export const BLANK_SCRIPT: ScriptRun = {
  kind: "script",
  code: `// args: what the call sends, valid by the input schema. What you return is the answer.
// callTool("name", { … }): any tool that the caller sees, with the caller's rights.
export default async (args, { callTool }) => {
  return { hello: args.name ?? "world" };
};
`,
  cpuSeconds: 1,
};

/** A script and how long it may compute. */
export function ToolScript({ run }: { run: Bound<ScriptRun> }) {
  const code = within(run, "code");
  return (
    <>
      <Field
        label="Script"
        hint="JavaScript in a sandbox: no network, no files, no imports; `console` shows up under Try it."
        error={code.error}
        name={code.path}
        group
      >
        <LazyScriptEditor value={code.value} onChange={code.onChange} readOnly={code.readOnly} aria-label="Script" />
      </Field>
      <NumberField
        {...within(run, "cpuSeconds")}
        label="Computing time in seconds"
        hint="0.1 to 5. Waiting for tools does not count."
        className="max-w-64"
      />
    </>
  );
}
