import { useDeleteSecret } from "@/components/secrets/use-secrets";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/error-note";
import { Dialog } from "@/components/ui/overlays/dialog";
import type { SecretRow } from "@/lib/resources/secret";

interface DeleteSecretProps {
  secret: SecretRow;
  onClose: () => void;
  /** Called after the deletion. */
  onDeleted: () => void;
}

/** Confirms the deletion of a secret. A secret in use stays, and the dialog names the sources that use it. */
export function DeleteSecret({ secret: { name, usedBy }, onClose, onDeleted }: DeleteSecretProps) {
  const remove = useDeleteSecret(onDeleted);
  const used = usedBy.length > 0;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title={used ? `${name} is in use` : `Delete secret ${name}?`}
      description={
        used
          ? "To delete the secret, first remove it from these sources:"
          : "You cannot recover the value. The history still shows that the secret existed."
      }
      footer={
        <>
          <Button onClick={onClose}>{used ? "Close" : "Cancel"}</Button>
          {!used && (
            <Button variant="danger" pending={remove.isPending} onClick={() => remove.mutate(name)}>
              Delete
            </Button>
          )}
        </>
      }
    >
      {used && (
        <ul className="flex flex-col gap-1 font-mono text-xs">
          {usedBy.map((source) => (
            <li key={source}>{source}</li>
          ))}
        </ul>
      )}
      {remove.error !== null && <ErrorNote text={remove.error.message} />}
    </Dialog>
  );
}
