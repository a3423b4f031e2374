import { Badge } from "@/components/ui/badge";

/** Marks a tool that changes something outside, in every list of tools. */
export function SideEffectsBadge() {
  return <Badge tone="outline">side effects</Badge>;
}
