import { useRow } from "@/components/resource/use-row";
import { WithCode } from "@/components/ui/json/with-code";
import { describeCondition } from "@/lib/access/model/matcher";

/** The argument conditions that a policy has now, in words: "Only when `amount` is at most `20`"; nothing without any. */
export function PolicyConditions({ policy }: { policy: string }) {
  const { data } = useRow("policies", policy);
  if (data === undefined || data.arguments.length === 0) return null;
  const when = data.arguments.map(describeCondition).join(" and ");
  return <WithCode text={`${data.effect === "deny" ? "Not" : "Only"} when ${when}`} />;
}
