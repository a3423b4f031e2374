import { useEffect, useState } from "react";
import { installSignIn } from "@/components/resource/go";
import { SignInAgain } from "@/components/resource/review/recent-sign-in";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/overlays/dialog";

/** Offers to sign in in another tab when the session has ended, so that what a person entered here is not lost. */
export function SessionEnded() {
  const [open, setOpen] = useState(false);
  useEffect(() => installSignIn(setOpen), []);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      size="sm"
      title="Your session ended"
      description="What you entered is still on this page. Sign in in another tab, come back, and continue here."
      footer={
        <>
          <Button onClick={() => setOpen(false)}>Keep editing</Button>
          <SignInAgain variant="primary">Sign in in another tab</SignInAgain>
        </>
      }
    />
  );
}
