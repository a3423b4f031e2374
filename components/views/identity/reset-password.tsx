import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { adminPath, request } from "@/components/resource/request";
import { SecretDialog } from "@/components/resource/secret-dialog";
import { useCan } from "@/components/resource/who";
import { CopyButton } from "@/components/ui/copy-button";
import { Button } from "@/components/ui/button";
import { WithCode } from "@/components/ui/json/with-code";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import type { Row } from "@/lib/resources";

/** Gives a person who forgot their password a new one, shown once. */
export function ResetPassword({ row: { name, email } }: { row: Row<"users"> }) {
  const mayWrite = useCan("people:write");
  const [asking, setAsking] = useState(false);
  const reset = useMutation({
    mutationFn: () => request<{ password: string }>(adminPath("users", name, "password"), { method: "POST" }),
    onSuccess: () => setAsking(false),
    gcTime: 0,
  });
  if (!mayWrite)
    return <WithCode text={`\`npx quartermaster user password ${email}\` on the server sets a new one.`} />;
  return (
    <>
      <Button size="sm" onClick={() => setAsking(true)}>
        Set new password…
      </Button>
      {asking && (
        <ActionDialog
          size="sm"
          title={`Set a new password for ${name}`}
          description={`Shows the new password once. The old one stops working, and ${name} is signed out everywhere.`}
          action="Set new password"
          pending={reset.isPending}
          error={reset.error?.message}
          onAct={() => reset.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
      {reset.isSuccess && (
        <SecretDialog
          title={`Password of ${name}`}
          what="password"
          secret={reset.data.password}
          onClose={() => reset.reset()}
        >
          <HandOver row={{ name, email }} />
        </SecretDialog>
      )}
    </>
  );
}

/** What to do with a password that an administrator sees. */
export function HandOver({ row: { name, email } }: { row: Pick<Row<"users">, "name" | "email"> }) {
  const address = `${window.location.origin}/sign-in`;
  return (
    <div className="flex flex-col gap-2 text-sm text-muted">
      <p>
        Give it to {name}, who signs in with the e-mail {email} at the address below, and can change it under{" "}
        <strong className="font-medium">Change password</strong> in the menu at the top right.
      </p>
      <p className="flex items-center gap-2">
        <span className="min-w-0 font-mono text-xs break-all select-all">{address}</span>
        <CopyButton text={address} label="Copy address" />
      </p>
    </div>
  );
}
