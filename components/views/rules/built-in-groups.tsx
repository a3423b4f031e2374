import { Lock } from "lucide-react";
import { useGet } from "@/components/resource/use-get";
import { counted } from "@/components/ui/counted";
import { Badge } from "@/components/ui/badge";
import { WithCode } from "@/components/ui/json/with-code";
import { TextLink } from "@/components/ui/text-link";
import type { BuiltInGroups as Answer } from "@/lib/contracts/decisions/built-in-groups";

type Group = Answer["items"][number];

/** The groups that exist without a row, above the list of groups: their members, and who is granted them. */
export function BuiltInGroups() {
  const { data } = useGet<Answer>(["built-in-groups"], "/api/admin/built-in-groups");
  if (data === undefined) return <div className="h-[4.625rem] border-y border-line" />;
  return (
    <ul aria-label="Built-in groups" className="border-t border-line">
      {data.items.map((group) => (
        <li key={group.name} className="border-b border-line px-5 py-2 text-sm">
          <details>
            <summary className="flex cursor-pointer flex-wrap items-baseline gap-x-3 gap-y-1 rounded-sm">
              <span className="font-medium">{group.name}</span>
              <Badge className="self-center">
                <Lock aria-hidden /> built in
              </Badge>
              <WithCode as="span" className="min-w-0 flex-1 basis-64 text-muted" text={group.description} />
              <span className="text-xs text-muted tabular-nums">
                {counted(group.count, "tool")} · {grantedInWords(group)}
              </span>
            </summary>
            <Contents group={group} />
          </details>
        </li>
      ))}
    </ul>
  );
}

const NAMED_BY = { allow: "granted by", deny: "denied by", request: "offered by" } as const;

function Contents({ group: { members, count, policies } }: { group: Group }) {
  return (
    <dl className="mt-2 grid gap-x-6 gap-y-1 text-xs sm:grid-cols-[6rem_1fr]">
      <dt className="text-muted">Policies</dt>
      <dd className="flex flex-wrap gap-x-3">
        {policies.length === 0 && "No policy names this group."}
        {policies.map(({ name, effect }) => (
          <TextLink key={name} href={`/admin/policies/${encodeURIComponent(name)}`}>
            {NAMED_BY[effect]} {name}
          </TextLink>
        ))}
      </dd>
      <dt className="text-muted">Tools</dt>
      <dd className="flex max-h-48 flex-wrap gap-x-3 overflow-y-auto font-mono">
        {count === 0 && "None"}
        {members.map((tool) => (
          <TextLink key={tool} href={`/admin/tools/${encodeURIComponent(tool)}`}>
            {tool}
          </TextLink>
        ))}
        {count > members.length && <span>and {(count - members.length).toLocaleString("en")} more</span>}
      </dd>
    </dl>
  );
}

function grantedInWords({ policies }: Group): string {
  const granting = policies.filter(({ effect }) => effect === "allow").length;
  if (granting === 0) return "granted by no policy";
  return `granted by ${counted(granting, "policy", "policies")}`;
}
