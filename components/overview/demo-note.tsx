import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import { useState } from "react";
import { useGet } from "@/components/resource/use-get";
import { request } from "@/components/resource/request";
import { useCan } from "@/components/resource/who";
import { Button } from "@/components/ui/button";
import { counted } from "@/components/ui/counted";
import { ErrorNote } from "@/components/ui/error-note";
import { Dialog, DialogActions } from "@/components/ui/overlays/dialog";
import { toast } from "@/components/ui/overlays/toast";
import type { DemoOutput } from "@/lib/contracts/changes/demo";

/** How much of the demo is left that nobody changed. */
export function useDemo() {
  return useGet<DemoOutput>(["demo"], "/api/admin/demo");
}

/** Marks the demo's data as such, with a button that removes it; hidden without any. */
export function DemoNote() {
  const [asking, setAsking] = useState(false);
  const mayRemove = useCan("settings:write");
  const client = useQueryClient();
  const demo = useDemo();
  const remove = useMutation({
    mutationFn: () => request<DemoOutput>("/api/admin/demo", { method: "DELETE" }),
    onSuccess: async () => {
      setAsking(false);
      toast({ title: "Removed the demo data" });
      await client.invalidateQueries();
    },
  });
  if (demo.data === undefined || demo.data.rows === 0) return null;
  return (
    <section
      aria-label="Demo data"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-panel px-4 py-2.5 text-sm"
    >
      <FlaskConical aria-hidden className="size-4 shrink-0 text-muted" />
      <p className="min-w-0 flex-1 basis-72 text-pretty">
        <span className="font-medium">Demo data.</span> The support desk, its policies, groups and agents, two open
        requests and the use of its tools are examples.
      </p>
      {mayRemove && (
        <Button size="sm" onClick={() => setAsking(true)}>
          Remove demo data
        </Button>
      )}
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title="Remove the demo data?"
        description={`Deletes ${counted(demo.data.objects, "object")} in one revision: the support desk with its tools, policies, groups, machine, personas, agents and API key. Also deletes the made-up use and withdraws the open requests. Built-in tools and objects that you changed stay. The call log stays. You can restore the configuration under Settings › Configuration › Revisions, but not the API key.`}
      >
        {remove.error !== null && <ErrorNote text={remove.error.message} />}
        <DialogActions>
          <Button variant="ghost" onClick={() => setAsking(false)}>
            Cancel
          </Button>
          <Button variant="danger" pending={remove.isPending} onClick={() => remove.mutate()}>
            Remove demo data
          </Button>
        </DialogActions>
      </Dialog>
    </section>
  );
}
