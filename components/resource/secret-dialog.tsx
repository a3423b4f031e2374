import { useState, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/overlays/dialog";

interface SecretDialogProps {
  title: string;
  /** What the secret is: "API key", "token". */
  what: string;
  secret: string;
  onClose: () => void;
  /** How to use it. */
  children?: ReactNode;
}

/** Shows a new secret once. The dialog closes only when the person confirms that they stored it. */
export function SecretDialog({ title, what, secret, onClose, children }: SecretDialogProps) {
  const [kept, setKept] = useState(false);
  return (
    <Dialog
      open
      onOpenChange={() => {}}
      dismissible={false}
      title={title}
      description={`Copy the ${what} now. It is not shown again.`}
      footer={
        <Button variant="primary" disabled={!kept} onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex items-center gap-2 rounded-md border border-line bg-sunken py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 font-mono text-xs break-all select-all">{secret}</code>
        <CopyButton text={secret} label={`Copy ${what}`} />
      </div>
      {children !== undefined && <div className="mt-4">{children}</div>}
      <Checkbox
        className="mt-3"
        checked={kept}
        onChange={setKept}
        label={`I have stored the ${what} in a safe place`}
      />
    </Dialog>
  );
}
