import { bind, within } from "@/components/resource/editor/bind";
import type { Draft } from "@/components/resource/editor/draft";
import { OptionalNumberField } from "@/components/resource/fields/number-field";
import { OptionalTextField } from "@/components/resource/fields/text-field";
import { Section } from "@/components/resource/section";
import { LimitsFields } from "@/components/views/tools/limits";
import type { Input } from "@/lib/resources";

/** Limits on the rate and the duration of a tool's calls. */
export function ToolLimits({ draft }: { draft: Draft<Input<"tools">> }) {
  const limits = bind(draft, "limits");
  return (
    <>
      <Section title="Limits" description="How often agents may call the tool.">
        <LimitsFields bound={limits} of="All callers together" />
        <LimitsFields bound={within(limits, "perCaller")} of="Each caller" />
      </Section>
      <Section title="Each call" description="An empty field uses the default.">
        <div className="grid grid-cols-2 gap-3">
          <OptionalNumberField {...within(limits, "timeoutSeconds")} label="Timeout in seconds" placeholder="default" />
          <OptionalNumberField {...within(limits, "retries")} label="Retries" placeholder="default" />
          <OptionalNumberField {...within(limits, "answerMiB")} label="Largest result in MiB" placeholder="1" />
        </div>
        <OptionalTextField
          {...bind(draft, "idempotencyHeader")}
          label="Idempotency header"
          placeholder="same as the source"
          hint="Set it only if the upstream supports idempotency keys. Failed calls are then sent again"
          mono
        />
      </Section>
    </>
  );
}
