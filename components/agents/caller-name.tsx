import { credentialInWords, type LoggedIdentity } from "@/components/agents/credential-words";
import { TextLink } from "@/components/ui/text-link";

/** The caller of a call or a session: its agent, else its subject, and the kind of its credential. */
export function CallerName({ caller }: { caller: LoggedIdentity }) {
  const { agent, subject } = caller;
  return (
    <>
      {agent === null ? subject : <TextLink href={`/admin/agents/${encodeURIComponent(agent)}`}>{agent}</TextLink>}{" "}
      <span className="break-words text-muted">({credentialInWords(caller)})</span>
    </>
  );
}
