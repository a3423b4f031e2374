import { within, type Bound } from "@/components/resource/editor/bind";
import { NumberField, OptionalNumberField } from "@/components/resource/fields/number-field";
import { Switch } from "@/components/ui/forms/switch";
import type { CallLimits } from "@/lib/resources/parts/limits";

type Rate = NonNullable<CallLimits["rate"]>;

/** Limits on the rate and the concurrency of calls; empty = no limit. `of` names the counted calls. */
export function LimitsFields<L extends CallLimits>({ bound, of }: { bound: Bound<L>; of: string }) {
  const limits = bound as unknown as Bound<CallLimits>;
  const rate = within(limits, "rate");
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 text-xs font-medium text-muted">{of}</legend>
      <div data-field={rate.path}>
        <Switch
          checked={rate.value !== null}
          onChange={(on) => rate.onChange(on ? { points: 60, seconds: 60 } : null)}
          label="Limit the call rate"
          hint={rate.value === null ? "Such as 60 calls per minute" : undefined}
          disabled={bound.readOnly}
        />
      </div>
      {rate.value !== null && <RateFields rate={{ ...rate, value: rate.value }} />}
      <div className="grid grid-cols-2 gap-3">
        <OptionalNumberField
          {...within(limits, "perDay")}
          label="Calls per day"
          placeholder="no limit"
          hint="A day in UTC"
        />
        <OptionalNumberField {...within(limits, "concurrency")} label="Concurrent calls" placeholder="no limit" />
      </div>
    </fieldset>
  );
}

function RateFields({ rate }: { rate: Omit<Bound<Rate | null>, "value"> & { value: Rate } }) {
  const bound: Bound<Rate> = rate;
  return (
    <div className="grid grid-cols-2 gap-3">
      <NumberField {...within(bound, "points")} label="Calls" />
      <NumberField
        {...within(bound, "seconds")}
        label="Window (seconds)"
        hint="Windows follow the clock in UTC: 60 = each minute"
      />
    </div>
  );
}
