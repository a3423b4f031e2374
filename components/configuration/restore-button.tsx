import { useRouter } from "next/navigation";
import { useState } from "react";
import { RestoreDialog } from "@/components/configuration/restore-dialog";
import { useRevisions } from "@/components/configuration/use-revisions";
import { useIsShown } from "@/components/resource/use-is-shown";
import { useCan } from "@/components/resource/who";
import { Button } from "@/components/ui/button";

/** Restores one earlier revision, after a person has read what that changes, and leads to the revisions. Hidden from readers. */
export function RestoreButton({ number }: { number: number }) {
  const router = useRouter();
  const isShown = useIsShown();
  const [restoring, setRestoring] = useState(false);
  const newest = useRevisions().rows[0]?.number;
  const canWrite = useCan("configuration:write");
  if (!canWrite || newest === undefined || number < 1 || number >= newest) return null;
  return (
    <>
      <Button size="sm" onClick={() => setRestoring(true)}>
        Restore revision {number}…
      </Button>
      {restoring && (
        <RestoreDialog
          number={number}
          newest={newest}
          onClose={() => setRestoring(false)}
          onRestored={() => isShown.current && router.push("/admin/configuration")}
        />
      )}
    </>
  );
}
