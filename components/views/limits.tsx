"use client";

import { within, type Bound } from "@/components/resource/bind";
import { NumberField, OptionalNumberField } from "@/components/resource/fields/number-field";
import { Switch } from "@/components/ui/switch";

interface Rate {
  points: number;
  seconds: number;
}

interface Limits {
  rate: Rate | null;
  perDay: number | null;
  concurrency: number | null;
}

/** How often and how many at once; empty is no limit. Says that they do not hold yet: a control that is not one misleads. */
export function LimitsFields<L extends Limits>({ bound }: { bound: Bound<L> }) {
  const limits = bound as unknown as Bound<Limits>;
  const rate = within(limits, "rate");
  return (
    <>
      <p className="text-xs text-warn">Stored, but not enforced by this version: do not rely on them yet.</p>
      <div className="flex flex-col gap-2">
        <Switch
          checked={rate.value !== null}
          onChange={(on) => rate.onChange(on ? { points: 60, seconds: 60 } : null)}
          label="Limit the rate"
          disabled={bound.readOnly}
        />
        {rate.value !== null && <RateFields rate={{ ...rate, value: rate.value }} />}
      </div>
      <div className="grid grid-cols-2 gap-3">
        <OptionalNumberField {...within(limits, "perDay")} label="Calls per day" placeholder="no limit" />
        <OptionalNumberField {...within(limits, "concurrency")} label="At once" placeholder="no limit" />
      </div>
    </>
  );
}

function RateFields({ rate }: { rate: Omit<Bound<Rate | null>, "value"> & { value: Rate } }) {
  const bound: Bound<Rate> = rate;
  return (
    <div className="grid grid-cols-2 gap-3">
      <NumberField {...within(bound, "points")} label="Calls" />
      <NumberField {...within(bound, "seconds")} label="per seconds" />
    </div>
  );
}
