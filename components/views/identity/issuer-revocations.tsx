import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useGet } from "@/components/resource/use-get";
import { problemsByField, request } from "@/components/resource/request";
import { Section } from "@/components/resource/section";
import { TimeField } from "@/components/resource/fields/time-field";
import { useCan } from "@/components/resource/who";
import { WhenLoaded } from "@/components/resource/when-loaded";
import { ErrorNote } from "@/components/ui/error-note";
import { Button } from "@/components/ui/button";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Headers, Table, Td } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import { toast } from "@/components/ui/overlays/toast";
import type { Row } from "@/lib/resources";
import type { RevocationRow } from "@/lib/contracts/people/revocation";

const BLANK = { jti: "", until: null as string | null, reason: "" };

/** The revoked tokens of an issuer, with a form that revokes another one. */
export function IssuerRevocations({ row }: { row: Row<"issuers"> }) {
  return <Revocations address={`/api/admin/issuers/${row.name}/revocations`} />;
}

/** Revoked tokens at an address of the API, with a form that revokes another one. */
export function Revocations({ address }: { address: `/api/${string}` }) {
  const mayWrite = useCan("issuers:write");
  const key = ["revocations", address];
  const client = useQueryClient();
  const again = () => client.invalidateQueries({ queryKey: key });
  const list = useGet<{ items: RevocationRow[] }>(key, address);
  const [lifting, setLifting] = useState<RevocationRow | null>(null);
  return (
    <div className="flex flex-col gap-6">
      {mayWrite && <Revoke address={address} onDone={again} />}
      <Section
        title="Revoked tokens"
        description="Every process refuses a revoked token from the next request until the token expires."
        wide
      >
        <WhenLoaded of={list} skeleton="h-24 w-full">
          {({ items }) =>
            items.length === 0 ? (
              <p className="text-sm text-muted">No token of this issuer is revoked.</p>
            ) : (
              <Revoked items={items} onLift={mayWrite ? setLifting : null} />
            )
          }
        </WhenLoaded>
      </Section>
      {lifting !== null && (
        <Lift address={address} revocation={lifting} onClose={() => setLifting(null)} onDone={again} />
      )}
    </div>
  );
}

interface PartProps {
  address: `/api/${string}`;
  onDone: () => Promise<void>;
}

function Revoke({ address, onDone }: PartProps) {
  const [input, setInput] = useState(BLANK);
  const revoke = useMutation({
    mutationFn: () => request<RevocationRow>(address, { method: "POST", body: input }),
    onSuccess: async ({ jti }) => {
      setInput(BLANK);
      toast({ title: `Token ${jti} is revoked` });
      await onDone();
    },
  });
  const { at, other } = problemsByField(revoke.error, ["jti", "until", "reason"]);
  return (
    <Section title="Revoke a token" description="Enter the id of the token. Do not paste the token itself.">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          revoke.mutate();
        }}
      >
        <Field
          label="Token id"
          hint="The jti claim of the token. For a token without jti, use the id that “Test a token” shows"
          error={at.jti}
          path="jti"
        >
          <Input value={input.jti} onChange={(event) => setInput({ ...input, jti: event.target.value })} mono />
        </Field>
        <TimeField
          path="until"
          value={input.until}
          onChange={(until) => setInput({ ...input, until })}
          error={at.until}
          readOnly={false}
          label="Until"
          hint="When the token expires. Leave empty if you don’t know: no token of this issuer lives longer than the revocation"
        />
        <Field label="Reason" error={at.reason} path="reason">
          <Input value={input.reason} onChange={(event) => setInput({ ...input, reason: event.target.value })} />
        </Field>
        {other !== undefined && <ErrorNote text={other} />}
        <div>
          <Button type="submit" variant="danger" pending={revoke.isPending} disabled={input.jti === ""}>
            Revoke token
          </Button>
        </div>
      </form>
    </Section>
  );
}

function Revoked({
  items,
  onLift,
}: {
  items: readonly RevocationRow[];
  onLift: ((row: RevocationRow) => void) | null;
}) {
  return (
    <Table label="Revoked tokens">
      <Headers of={["Token id", "Until", "Revoked", "By", "Reason", onLift !== null && { hidden: "Actions" }]} />
      <tbody>
        {items.map((item) => (
          <tr key={item.jti}>
            <Td className="max-w-80">
              <code className="block truncate font-mono text-xs" title={item.jti}>
                {item.jti}
              </code>
            </Td>
            <Td className="whitespace-nowrap text-muted">
              <Time at={item.until} />
            </Td>
            <Td className="whitespace-nowrap text-muted">
              <Time at={item.since} />
            </Td>
            <Td className="whitespace-nowrap text-muted">{item.by}</Td>
            <Td className="w-full max-w-0 truncate text-muted" title={item.reason}>
              {item.reason === "" ? <span className="text-faint">none given</span> : item.reason}
            </Td>
            {onLift !== null && (
              <Td>
                <Button variant="ghost" size="sm" onClick={() => onLift(item)} aria-label={`Accept ${item.jti} again`}>
                  Accept again
                </Button>
              </Td>
            )}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Lift({
  address,
  revocation: { jti },
  onClose,
  onDone,
}: PartProps & { revocation: RevocationRow; onClose: () => void }) {
  const lift = useMutation({
    mutationFn: () => request<undefined>(`${address}?jti=${encodeURIComponent(jti)}`, { method: "DELETE" }),
    onSuccess: async () => {
      onClose();
      await onDone();
    },
  });
  return (
    <ActionDialog
      title="Accept this token again?"
      description="The token works again from the next request until it expires. Everyone who has it can use it."
      action="Accept again"
      tone="danger"
      pending={lift.isPending}
      error={lift.error?.message}
      onAct={() => lift.mutate()}
      onClose={onClose}
    >
      <code className="font-mono text-xs break-all">{jti}</code>
    </ActionDialog>
  );
}
