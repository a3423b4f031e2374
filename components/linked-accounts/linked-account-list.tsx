import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { AccountFacts, LinkStateBadge } from "@/components/linked-accounts/account-facts";
import { hostIn, problemInWords } from "@/components/linked-accounts/link-words";
import { useEndLink, useLinkableSources, useLinkedAccount } from "@/components/linked-accounts/use-linked-accounts";
import { List } from "@/components/resource/list/list";
import { Peek } from "@/components/resource/peek";
import { timeColumn } from "@/components/resource/columns";
import type { Chip, Column, Filter } from "@/components/resource/view";
import { WhenLoaded } from "@/components/resource/when-loaded";
import { useCan } from "@/components/resource/who";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/error-note";
import { LinkButton } from "@/components/ui/link-button";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import type { LinkedAccountRow } from "@/lib/contracts/people/linked-account";

const COLUMNS: readonly Column<LinkedAccountRow>[] = [
  { id: "source", header: "Source", sorts: true, cell: ({ source }) => source },
  {
    id: "person",
    header: "Person",
    className: "whitespace-nowrap",
    cell: ({ person, own }) => (
      <>
        {person ?? "deleted"}
        {own && <span className="text-faint"> (you)</span>}
      </>
    ),
  },
  { id: "state", header: "State", cell: (account) => <LinkStateBadge account={account} /> },
  { id: "origin", header: "Sent to", className: "w-full", cell: ({ origin }) => hostIn(origin) },
  timeColumn("linkedAt", "Linked", { sorts: true }),
  timeColumn("lastUsedAt", "Last used"),
];

const FILTERS: readonly Filter[] = [];
const CHIPS: readonly Chip[] = [
  { key: "source", label: "Source", example: "mail" },
  { key: "person", label: "Person", example: "ada" },
];

/** People's linked accounts: one's own, and for those who may see people everybody's. Never a token. */
export function LinkedAccountList() {
  const problem = useSearchParams().get("problem");
  return (
    <List<LinkedAccountRow>
      list="linked-accounts"
      words={["linked account", "linked accounts"]}
      columns={COLUMNS}
      idOf={idOf}
      hrefOf={rowAddressOf}
      filters={FILTERS}
      chips={CHIPS}
      sort="-linkedAt"
      whenEmpty="Sources that require the user's own sign-in are listed here, once somebody has linked an account."
      renderAbove={() => (
        <>
          {problem !== null && <ErrorNote text={problemInWords(problem)} />}
          <Linkable />
        </>
      )}
      renderPeek={(id, onClose) => <AccountPeek id={id} onClose={onClose} />}
    />
  );
}

function idOf({ person, source }: Pick<LinkedAccountRow, "person" | "source">): string {
  return `${person ?? ""}@${source}`;
}

/** One's own account has a page. That of another person opens beside the list, where it can be unlinked. */
function rowAddressOf(account: LinkedAccountRow): string {
  return account.own ? addressOf(account) : `/admin/linked-accounts?${new URLSearchParams({ peek: idOf(account) })}`;
}

function addressOf({ source, own }: Pick<LinkedAccountRow, "source" | "own">): string {
  return `/admin/${own ? "linked-accounts" : "sources"}/${encodeURIComponent(source)}`;
}

/** The sources whose users sign in themselves: the way to link an account before a call needs it. */
function Linkable() {
  const { data = [] } = useLinkableSources();
  if (data.length === 0) return null;
  return (
    <p className="flex flex-wrap items-center gap-2 px-5 pb-2 text-sm">
      Your account at:
      {data.map(({ name, displayName }) => (
        <LinkButton key={name} size="sm" href={`/admin/linked-accounts/${encodeURIComponent(name)}`}>
          {displayName ?? name}
        </LinkButton>
      ))}
    </p>
  );
}

function AccountPeek({ id, onClose }: { id: string; onClose: () => void }) {
  const [person = "", source = ""] = id.split("@");
  const found = useLinkedAccount(source, person);
  const href = addressOf({ source, own: found.data?.own === true });
  return (
    <Peek id={id} title={source} description="linked account" href={href} onClose={onClose}>
      <WhenLoaded of={found} skeleton="h-48">
        {(account) =>
          account === null ? (
            <p>This account has ended.</p>
          ) : (
            <>
              <AccountFacts account={account} />
              <EndOther account={account} onEnded={onClose} />
            </>
          )
        }
      </WhenLoaded>
    </Peek>
  );
}

/** The way to end the account of another person. One's own ends on its page. */
function EndOther({ account, onEnded }: { account: LinkedAccountRow; onEnded: () => void }) {
  const mayWrite = useCan("people:write");
  const [isAsking, setIsAsking] = useState(false);
  const { source, person, own } = account;
  const end = useEndLink(source, person);
  if (own || person === null || !mayWrite) return null;
  return (
    <>
      <Button className="w-fit" onClick={() => setIsAsking(true)}>
        Unlink account
      </Button>
      {isAsking && (
        <ActionDialog
          title={`Unlink the account of ${person}?`}
          description={`Calls of ${person} can no longer use ${source}, until they link an account again. Quartermaster asks the upstream to revoke the tokens.`}
          action="Unlink account"
          tone="danger"
          pending={end.isPending}
          error={end.error?.message}
          onAct={() => end.mutate(undefined, { onSuccess: onEnded })}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}
