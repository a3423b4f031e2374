import { useState, type ClipboardEvent } from "react";
import { ClaimExamples } from "@/components/preview/inputs/claim-examples";
import { ClaimsTable } from "@/components/preview/results/claims-table";
import { claimsOfJwt, parseClaims } from "@/components/preview/draft";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/overlays/dialog";
import { Field } from "@/components/ui/forms/field";
import { Textarea } from "@/components/ui/forms/textarea";
import { toast } from "@/components/ui/overlays/toast";

interface ClaimsInputProps {
  text: string;
  onChange: (text: string) => void;
}

/** Claims as JSON or as a table; a JWT pasted here becomes its payload, decoded in the browser. */
export function ClaimsInput({ text, onChange }: ClaimsInputProps) {
  const [view, setView] = useState<"json" | "table">("json");
  const [pasting, setPasting] = useState(false);
  const parsed = parseClaims(text);
  const take = (claims: Readonly<Record<string, unknown>>) => onChange(JSON.stringify(claims, null, 2));
  const onPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData("text");
    const claims = /^(Bearer\s+)?eyJ/i.test(pasted.trim()) ? claimsOfJwt(pasted) : null;
    if (claims === null) return;
    event.preventDefault();
    take(claims);
    toast({
      title: "Decoded in your browser",
      description: "Only the payload is used. The token was not sent.",
    });
  };
  return (
    <div className="flex flex-col gap-1.5">
      {view === "json" ? (
        <Field label="Claims" error={parsed.ok ? undefined : parsed.message}>
          <Textarea
            mono
            rows={9}
            value={text}
            onChange={(event) => onChange(event.target.value)}
            onPaste={onPaste}
            className="max-h-80 min-h-40"
          />
        </Field>
      ) : (
        <Field label="Claims" group>
          {parsed.ok ? (
            <ClaimsTable claims={parsed.claims} onChange={take} />
          ) : (
            <p className="text-xs text-deny">{parsed.message}</p>
          )}
        </Field>
      )}
      {parsed.ok && <ClaimExamples claims={parsed.claims} onTake={take} />}
      <div className="-ml-2 flex gap-1">
        <Button size="sm" variant="ghost" onClick={() => setPasting(true)}>
          Paste a JWT
        </Button>
        <Button size="sm" variant="ghost" onClick={() => setView(view === "json" ? "table" : "json")}>
          {view === "json" ? "As a table" : "As JSON"}
        </Button>
      </div>
      <JwtDialog open={pasting} onOpenChange={setPasting} onClaims={take} />
    </div>
  );
}

function JwtDialog({
  open,
  onOpenChange,
  onClaims,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onClaims: (claims: Record<string, unknown>) => void;
}) {
  const [token, setToken] = useState("");
  const claims = claimsOfJwt(token);
  const use = () => {
    if (claims === null) return;
    onClaims(claims);
    setToken("");
    onOpenChange(false);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Paste a JWT"
      description="Your browser decodes the token. The preview uses only its payload and does not check the signature."
      footer={
        <Button variant="primary" disabled={claims === null} onClick={use}>
          Use its claims
        </Button>
      }
    >
      <Field
        label="Token"
        error={token.trim() !== "" && claims === null ? "This is not a JWT: three parts separated by dots." : undefined}
      >
        <Textarea mono rows={5} value={token} onChange={(event) => setToken(event.target.value)} placeholder="eyJ…" />
      </Field>
    </Dialog>
  );
}
