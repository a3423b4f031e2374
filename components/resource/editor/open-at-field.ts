import { useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";
import { focusField } from "@/components/ui/forms/focus-field";

/**
 * Focuses one field of a form when it opens: the one at `path`, else the one that the address names, also when a link on the
 * same page names it later. So a link (`?field=limits`) leads to its field in a long form.
 */
export function useOpenAtField(path: string | null = null): void {
  const addressed = useSearchParams().get("field");
  const [target, setTarget] = useState({ addressed, field: path ?? addressed });
  if (target.addressed !== addressed) setTarget({ addressed, field: addressed });
  const { field } = target;
  useEffect(() => {
    // A panel learns its tab only after the first paint.
    if (field !== null) requestAnimationFrame(() => focusField(field));
  }, [field]);
}
