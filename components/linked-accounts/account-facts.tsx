import { hostIn } from "@/components/linked-accounts/link-words";
import { Badge } from "@/components/ui/badge";
import { CodeFact, Fact, Facts, TimeFact } from "@/components/ui/text/facts";
import type { LinkedAccountRow } from "@/lib/contracts/people/linked-account";

/** The state of a linked account; `null` = there is none. */
export function LinkStateBadge({ account }: { account: Pick<LinkedAccountRow, "state" | "wantedScope"> | null }) {
  if (account === null) return <Badge>Not linked</Badge>;
  const { state, wantedScope } = account;
  if (state === "linked" && wantedScope !== null) return <Badge tone="warn">More access needed</Badge>;
  return state === "linked" ? <Badge tone="allow">Linked</Badge> : <Badge tone="warn">Sign in again</Badge>;
}

/** The facts about a linked account: everything except its tokens. */
export function AccountFacts({ account }: { account: LinkedAccountRow }) {
  const { person, origin, issuer, scope, wantedScope, linkedAt, refreshedAt, refreshFailedAt, lastUsedAt } = account;
  return (
    <Facts>
      <Fact label="Person">{person ?? "deleted"}</Fact>
      <CodeFact label="Sent to" code={hostIn(origin)} />
      <CodeFact label="Issued by" code={hostIn(issuer)} />
      <Fact label="Granted scopes">
        {scope === "" ? "the server’s default" : <code className="font-mono text-xs">{scope}</code>}
      </Fact>
      {wantedScope !== null && <CodeFact label="Needed by a call" code={wantedScope} />}
      <TimeFact label="Linked" at={linkedAt} />
      <TimeFact label="Refreshed" at={refreshedAt} />
      {refreshFailedAt !== null && <TimeFact label="Refresh failed" at={refreshFailedAt} />}
      <TimeFact label="Last used" at={lastUsedAt} />
    </Facts>
  );
}
