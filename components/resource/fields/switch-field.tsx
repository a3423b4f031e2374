import type { ReactNode } from "react";
import type { Bound } from "@/components/resource/editor/bind";
import { ErrorText } from "@/components/ui/forms/field";
import { Switch } from "@/components/ui/forms/switch";

/** A boolean field as a switch, with its error. */
export function SwitchField({
  value,
  onChange,
  error,
  readOnly,
  path,
  label,
  hint,
}: Bound<boolean> & { label: ReactNode; hint?: ReactNode }) {
  return (
    <div data-field={path}>
      <Switch checked={value} onChange={onChange} label={label} hint={hint} disabled={readOnly} />
      <ErrorText text={error} />
    </div>
  );
}
