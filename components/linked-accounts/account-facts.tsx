import { hostIn } from "@/components/linked-accounts/link-words";
import { Badge } from "@/components/ui/badge";
import { Fact, Facts } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
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
      <Fact label="Sent to">
        <code className="font-mono text-xs">{hostIn(origin)}</code>
      </Fact>
      <Fact label="Issued by">
        <code className="font-mono text-xs">{hostIn(issuer)}</code>
      </Fact>
      <Fact label="Granted scopes">
        {scope === "" ? "the server’s default" : <code className="font-mono text-xs">{scope}</code>}
      </Fact>
      {wantedScope !== null && (
        <Fact label="Needed by a call">
          <code className="font-mono text-xs">{wantedScope}</code>
        </Fact>
      )}
      <Fact label="Linked">
        <Time at={linkedAt} />
      </Fact>
      <Fact label="Refreshed">{refreshedAt === null ? "never" : <Time at={refreshedAt} />}</Fact>
      {refreshFailedAt !== null && (
        <Fact label="Refresh failed">
          <Time at={refreshFailedAt} />
        </Fact>
      )}
      <Fact label="Last used">{lastUsedAt === null ? "never" : <Time at={lastUsedAt} />}</Fact>
    </Facts>
  );
}
