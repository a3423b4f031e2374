import { SEVERITY_TONES } from "@/components/drift/drift-words";
import { Badge } from "@/components/ui/badge";
import { WithCode } from "@/components/ui/json/with-code";
import type { DriftItem } from "@/lib/contracts/sources/drift";

export function DriftNote({ severity, text }: DriftItem["notes"][number]) {
  return (
    <span className="flex items-baseline gap-2 text-sm">
      <Badge tone={SEVERITY_TONES[severity]} className="shrink-0">
        {severity}
      </Badge>
      <WithCode as="span" className="min-w-0 break-words" text={text} />
    </span>
  );
}
