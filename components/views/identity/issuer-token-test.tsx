import { useMutation } from "@tanstack/react-query";
import { Check, Minus, X } from "lucide-react";
import { Fragment, useState } from "react";
import { claimsOfJwt } from "@/components/preview/draft";
import { storeInTab } from "@/components/preview/tab-storage";
import { useGo } from "@/components/resource/go";
import { request } from "@/components/resource/request";
import { Section } from "@/components/resource/section";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Field } from "@/components/ui/forms/field";
import { Json } from "@/components/ui/json/json";
import { Textarea } from "@/components/ui/forms/textarea";
import { WithCode } from "@/components/ui/json/with-code";
import { Time } from "@/components/ui/time";
import { VisibleText } from "@/components/ui/visible-text";
import { clientLabel } from "@/lib/contracts/people/client-label";
import type { Row } from "@/lib/resources";
import type { TokenCheck, TokenTestOutput } from "@/lib/contracts/people/token-test";

const LABELS: Readonly<Record<TokenCheck, string>> = {
  form: "Well-formed",
  ownKeys: "No embedded key",
  issuer: "Issuer",
  algorithm: "Algorithm",
  type: "Type",
  key: "Key",
  signature: "Signature",
  audience: "Audience",
  expiry: "Expiry",
  notBefore: "Not before",
  issuedAt: "Issued at",
  subject: "Subject",
  tokenId: "Token id",
  purpose: "Access token",
  claims: "Claims",
  revocation: "Not revoked",
  agent: "Agent",
};

const VERDICTS = {
  passed: { Icon: Check, className: "text-allow" },
  failed: { Icon: X, className: "text-deny" },
  skipped: { Icon: Minus, className: "text-faint" },
} as const;

export function IssuerTokenTest({ row }: { row: Row<"issuers"> }) {
  return <TokenTest address={`/api/admin/issuers/${row.name}/test`} issuer={row.name} />;
}

interface TokenTestProps {
  address: `/api/${string}`;
  /** The issuer whose tokens people expect to test here; `null` = our own authorization server. */
  issuer: string | null;
}

/** Tests a pasted token with agent authentication, check by check. The token stays in this tab's memory. */
export function TokenTest({ address, issuer }: TokenTestProps) {
  const [token, setToken] = useState("");
  const test = useMutation({
    mutationFn: (text: string) => request<TokenTestOutput>(address, { method: "POST", body: { token: text } }),
    // Neither the token nor its claims outlive the page.
    gcTime: 0,
  });
  return (
    <div className="flex flex-col gap-6">
      <Section
        title="Test a token"
        description="Quartermaster verifies the token as in a request of an agent. It does not store or log the token, and calls no tool."
      >
        <form
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            test.mutate(token);
          }}
        >
          <Field label="Token" error={test.error?.message}>
            <Textarea
              value={token}
              onChange={(event) => {
                setToken(event.target.value);
                test.reset();
              }}
              placeholder="eyJ…"
              rows={4}
              autoComplete="off"
              className="max-h-40 break-all"
              mono
            />
          </Field>
          <div>
            <Button type="submit" variant="primary" pending={test.isPending} disabled={token.trim() === ""}>
              Test
            </Button>
          </div>
        </form>
      </Section>
      {test.data !== undefined && <Result result={test.data} token={token} issuer={issuer} />}
    </div>
  );
}

function Result({ result, token, issuer }: { result: TokenTestOutput; token: string; issuer: string | null }) {
  return (
    <>
      <Section title="Checks" description="Checks run in this order and stop at the first failure.">
        <div aria-live="polite" className="flex flex-wrap items-center gap-2">
          <Badge tone={result.accepted ? "allow" : "deny"}>{result.accepted ? "accepted" : "refused"}</Badge>
          {result.issuer !== null && issuer !== null && result.issuer !== issuer && (
            <span className="text-sm text-warn">The token belongs to another issuer: {result.issuer}.</span>
          )}
          <CopyButton text={() => toText(result)} label="Copy result" showLabel className="ml-auto" />
        </div>
        <ol aria-label="Checks of the token" className="flex flex-col">
          {result.checks.map(({ check, verdict, says }) => {
            const { Icon, className } = VERDICTS[verdict];
            return (
              <li key={check} className="flex gap-3 border-b border-line py-1.5 text-sm last:border-b-0">
                <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${className}`} />
                <span className="w-28 shrink-0 font-medium">
                  {LABELS[check]} <span className="sr-only">{verdict}</span>
                </span>
                <span className="min-w-0 break-words text-muted">
                  {verdict === "skipped" ? <span className="text-faint">not reached</span> : <WithCode text={says} />}
                </span>
              </li>
            );
          })}
        </ol>
      </Section>
      {result.claims !== null && <Caller result={result} token={token} claims={result.claims} />}
    </>
  );
}

function Caller({ result, token, claims }: { result: TokenTestOutput; token: string; claims: object }) {
  const go = useGo();
  const { agent, capabilities } = result;
  const preview = () => {
    if (agent !== null && result.connection === null) return go(`/admin/preview?agent=${encodeURIComponent(agent)}`);
    // The answer's claims are redacted: the preview needs them as they are, and out of the address.
    const { qm: _own, ...own } = claimsOfJwt(token) ?? {};
    go(`/admin/preview?in=${storeInTab("claims", null, JSON.stringify(own, null, 2))}`);
  };
  return (
    <Section title="Caller" description="The claims that policies read. Secrets are masked as in the log.">
      <p className="text-sm text-muted">
        {agent === null ? (
          "Unregistered caller, identified by its claims."
        ) : (
          <WithCode text={`The registered agent \`${agent}\`.`} />
        )}{" "}
        {capabilities.length === 0 ? (
          "Its claims grant no capabilities."
        ) : (
          <WithCode text={`Its claims grant the capabilities \`${capabilities.join("`, `")}\`.`} />
        )}
      </p>
      {result.connection !== null && <Connection of={result.connection} expiresAt={result.expiresAt} />}
      <Json value={claims} label="claims" className="max-h-96 overflow-auto" />
      <div>
        <Button onClick={preview}>{previewLabel(result)}</Button>
      </div>
    </Section>
  );
}

function previewLabel({ agent, connection }: TokenTestOutput): string {
  if (connection !== null) return "Preview this connection";
  return agent === null ? "Preview these claims" : "Preview this agent";
}

/** What a token of a connection stands for at present. */
function Connection({ of, expiresAt }: { of: NonNullable<TokenTestOutput["connection"]>; expiresAt: string | null }) {
  const facts = [
    ["Person", `${of.person} (${of.role})`],
    ["Groups", of.groups.length === 0 ? "none" : of.groups.join(", ")],
    ["Client", clientLabel(of)],
    ["Agent", of.agent],
    ["Consented scopes", of.scopes.join(", ")],
  ] as const;
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
      {facts.map(([term, text]) => (
        <Fragment key={term}>
          <dt className="text-muted">{term}</dt>
          <dd className="min-w-0 break-words">
            <VisibleText text={text} />
          </dd>
        </Fragment>
      ))}
      {expiresAt !== null && (
        <>
          <dt className="text-muted">Expires</dt>
          <dd>
            <Time at={expiresAt} />
          </dd>
        </>
      )}
    </dl>
  );
}

function toText({ accepted, checks }: TokenTestOutput): string {
  const lines = checks.map(
    ({ check, verdict, says }) => `${verdict.padEnd(8)}${LABELS[check]}: ${says || "not reached"}`,
  );
  return [accepted ? "accepted" : "refused", ...lines].join("\n");
}
