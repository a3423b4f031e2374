import { Badge, type Tone } from "@/components/ui/badge";

const TONES: Readonly<Record<string, Tone>> = {
  GET: "accent",
  POST: "allow",
  PUT: "warn",
  PATCH: "warn",
  DELETE: "deny",
};

/** An HTTP method. The colour repeats what the text says. */
export function MethodBadge({ method }: { method: string }) {
  return (
    <Badge tone={TONES[method] ?? "neutral"} mono className="shrink-0">
      {method}
    </Badge>
  );
}
