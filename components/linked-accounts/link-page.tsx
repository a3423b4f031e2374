import { useSearchParams } from "next/navigation";
import type { ReactNode } from "react";
import { AccountFacts, LinkStateBadge } from "@/components/linked-accounts/account-facts";
import { hostIn, problemInWords } from "@/components/linked-accounts/link-words";
import { useEndLink, useLinkStatus, useStartLink } from "@/components/linked-accounts/use-linked-accounts";
import { DetailLayout } from "@/components/resource/detail/detail-layout";
import { ObjectHeading } from "@/components/resource/object-heading";
import { WhenLoaded } from "@/components/resource/when-loaded";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/error-note";
import { CodeFact, Fact, Facts } from "@/components/ui/text/facts";
import { TextLink } from "@/components/ui/text-link";
import type { LinkStatus } from "@/lib/contracts/people/linked-account";

/** The page where a person links or unlinks their account at one source. */
export function LinkPage({ id: source }: { id: string }) {
  return (
    <WhenLoaded page of={useLinkStatus(source)} skeleton="m-5 h-64">
      {(status) => <LinkContent status={status} />}
    </WhenLoaded>
  );
}

function LinkContent({ status }: { status: LinkStatus }) {
  const { source, displayName, account, linkable, problem } = status;
  const returned = useSearchParams();
  const returnedProblem = returned.get("problem");
  const link = useStartLink(source);
  const unlink = useEndLink(source);
  const failed = link.error ?? unlink.error;
  return (
    <DetailLayout
      label="Linked account"
      asideLabel="Your account"
      aside={account === null ? null : <AccountFacts account={account} />}
    >
      <ObjectHeading
        title={`Your account at ${displayName ?? source}`}
        badges={<LinkStateBadge account={account} />}
        path={`linked-accounts/${encodeURIComponent(source)}`}
        value={status}
      />
      {returnedProblem !== null && <ErrorNote text={problemInWords(returnedProblem)} />}
      {failed !== null && <ErrorNote text={failed.message} />}
      {returnedProblem === null && problem !== null && <ErrorNote text={problem.message} />}
      <p className="max-w-prose text-sm">
        <Explanation status={status} wasLinked={returned.get("linked") !== null} />
      </p>
      {linkable && <SignInFacts status={status} />}
      <div className="flex flex-wrap gap-2">
        {linkable && (
          <Button
            variant={account?.state === "linked" && account.wantedScope === null ? "secondary" : "primary"}
            pending={link.isPending || link.isSuccess}
            disabled={problem !== null}
            onClick={() => link.mutate()}
          >
            {account === null ? "Link account" : "Link account again"}
          </Button>
        )}
        {account !== null && (
          <Button pending={unlink.isPending} onClick={() => unlink.mutate()}>
            Unlink account
          </Button>
        )}
      </div>
    </DetailLayout>
  );
}

function Explanation({
  status: { source, linkable, account },
  wasLinked,
}: {
  status: LinkStatus;
  wasLinked: boolean;
}): ReactNode {
  if (!linkable)
    return `You cannot link an account of ${source}: the source is disabled, or its users do not sign in themselves.`;
  if (account?.state === "linked" && account.wantedScope !== null)
    return "A call was refused because it needs more access to this account. Link your account again and grant it. Calls that do not need more access still work.";
  if (account?.state === "linked")
    return `${wasLinked ? "Your account is linked. " : ""}Agents that call with your sign-in act with this account. Repeat a call that was refused.`;
  if (account?.state === "sign_in_again")
    return "The upstream has ended your linked account. Calls with your sign-in are refused until you link it again.";
  return "Agents that call with your sign-in need your own account at this source. You sign in at the upstream and come back here. Quartermaster stores the tokens encrypted and never shows them.";
}

/** Where the person signs in, and which scopes they grant. */
function SignInFacts({ status: { source, origin, issuer, scope } }: { status: LinkStatus }) {
  return (
    <Facts>
      <Fact label="Source">
        <TextLink href={`/admin/sources/${encodeURIComponent(source)}`}>{source}</TextLink>
      </Fact>
      {origin !== null && <CodeFact label="Host" code={hostIn(origin)} />}
      {issuer !== null && <CodeFact label="You sign in at" code={hostIn(issuer)} />}
      <Fact label="Scopes">
        {scope === "" ? "the server’s default" : <code className="font-mono text-xs">{scope}</code>}
      </Fact>
    </Facts>
  );
}
