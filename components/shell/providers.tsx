"use client";

import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useState, type ReactNode } from "react";
import { newQueryClient } from "@/components/resource/query-client";
import { ReasonDialog } from "@/components/resource/review/reason-dialog";
import { SessionEnded } from "@/components/resource/review/session-ended";
import { Toasts } from "@/components/ui/overlays/toast";

/** The context providers of the whole app. */
export function Providers({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  const [client] = useState(newQueryClient);
  // Keys pressed before hydration are lost: tests and scripts wait for this sign.
  useEffect(() => {
    document.documentElement.dataset["hydrated"] = "true";
  }, []);
  return (
    <CSPProvider nonce={nonce} disableStyleElements>
      <QueryClientProvider client={client}>
        {children}
        <ReasonDialog />
        <SessionEnded />
        <Toasts />
      </QueryClientProvider>
    </CSPProvider>
  );
}
