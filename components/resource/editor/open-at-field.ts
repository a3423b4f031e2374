import { useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";
import { focusField } from "@/components/ui/forms/focus-field";

/**
 * Focuses one field of a form when it opens: the one at `path`, else the one that the address names. So a link
 * (`?field=limits`) leads to its field in a long form.
 */
export function useOpenAtField(path: string | null = null): void {
  const addressed = useSearchParams().get("field");
  const [field] = useState(path ?? addressed);
  useEffect(() => {
    // A panel learns its tab only after the first paint.
    if (field !== null) requestAnimationFrame(() => focusField(field));
  }, [field]);
}
