import { LazyScriptEditor } from "@/components/code/lazy-script-editor";
import { within, type Bound } from "@/components/resource/editor/bind";
import { NumberField } from "@/components/resource/fields/number-field";
import { Field } from "@/components/ui/forms/field";
import type { Input } from "@/lib/resources";

type ScriptRun = Extract<Input<"tools">["run"], { kind: "script" }>;

/** The initial text of a script, which shows everything that scripts can use. */
export const BLANK_SCRIPT: ScriptRun = {
  kind: "script",
  code: `// args: the arguments of the call, checked against the input schema. Return the result.
// callTool("name", { … }) calls any tool that the caller sees, as the caller.
export default async (args, { callTool }) => {
  return { hello: args.name ?? "world" };
};
`,
  cpuSeconds: 1,
};

/** The fields of a script: its code and its CPU time limit. */
export function ToolScript({ run }: { run: Bound<ScriptRun> }) {
  const code = within(run, "code");
  return (
    <>
      <Field
        label="Script"
        hint="JavaScript in a sandbox without network, files or imports. `console` output appears under Try it."
        error={code.error}
        path={code.path}
        group
      >
        <LazyScriptEditor value={code.value} onChange={code.onChange} readOnly={code.readOnly} aria-label="Script" />
      </Field>
      <NumberField
        {...within(run, "cpuSeconds")}
        label="CPU time in seconds"
        hint="0.1 to 5. Waiting for other tools does not count"
        className="max-w-64"
      />
    </>
  );
}
