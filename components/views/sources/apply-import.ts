import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useGo } from "@/components/resource/go";
import { Problem, request } from "@/components/resource/request";
import { useIsShown } from "@/components/resource/use-is-shown";
import { useTypedNames } from "@/components/resource/use-names";
import { newGroupsOf } from "@/components/views/sources/import-groups";
import { toast } from "@/components/ui/overlays/toast";
import { BLANK_GROUP } from "@/lib/access/model/blank-rows";
import type { ImportApplied, ImportApplying, ImportJob } from "@/lib/contracts/sources/import-job";

/** How many tools are saved. */
export type ImportProgress = Pick<ImportApplying, "done" | "total">;

interface Applied {
  readonly body: object;
  /** The groups of the new tools. Those that do not exist are created first. */
  readonly groups: readonly string[];
  readonly setProblems: (errors: Problem["errors"]) => void;
}

/**
 * Applies the selected operations, and then shows the tools. A person who closed the dialog meanwhile may be editing
 * elsewhere, and gets a link instead. `saved` is the progress of a long import.
 */
export function useApplyImport(job: ImportJob, { body, groups, setProblems }: Applied, onDone: () => void) {
  const go = useGo();
  const isShown = useIsShown();
  const client = useQueryClient();
  const [saved, setSaved] = useState<ImportProgress | null>(null);
  const newGroups = newGroupsOf(groups, useTypedNames("groups"));
  const apply = useMutation({
    mutationFn: async () => {
      for (const name of newGroups) await createGroup(name);
      const path = `/api/admin/imports/${job.id}/apply` as const;
      const answer = await request<ImportApplied | ImportApplying>(path, { method: "POST", body });
      return "revision" in answer ? answer : followApplying(job.id, setSaved);
    },
    onError: (error) => setProblems(error instanceof Problem ? error.errors : []),
    onSettled: () => setSaved(null),
    onSuccess: async ({ added, changed, removed }) => {
      const open = () => go(`/admin/tools?source=${encodeURIComponent(job.source)}`);
      toast({
        title: `Imported into ${job.source}`,
        description: Object.entries({ added, changed, removed })
          .flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []))
          .join(", "),
        next: isShown.current ? undefined : { label: "Show tools", open },
      });
      if (isShown.current) {
        onDone();
        open();
      }
      await client.invalidateQueries();
    },
  });
  return { apply, saved };
}

/** Creates a group without members. Keeps a group that already exists, for example after a failed import. */
async function createGroup(name: string): Promise<void> {
  try {
    await request("/api/admin/groups", { method: "POST", body: { ...BLANK_GROUP, name } });
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "conflict") throw error;
  }
}

/** Waits until a long import is applied. Reads events instead of polling the job, whose plan may have megabytes. */
function followApplying(id: string, onProgress: (progress: ImportProgress) => void): Promise<ImportApplied> {
  const events = new EventSource(`/api/admin/imports/${id}/events`);
  return new Promise<ImportApplied>((resolve, reject) => {
    const lost = () =>
      reject(
        new Error("The connection was lost. The import continues on the server. Check the Tools page in a moment."),
      );
    events.addEventListener("progress", ({ data }) => onProgress(JSON.parse(String(data)) as ImportProgress));
    events.addEventListener("result", ({ data }) => {
      const { applied, error } = JSON.parse(String(data)) as ImportJob;
      if (error === null && applied !== null) resolve(applied);
      else reject(new Error(error ?? "The import was not applied."));
    });
    events.addEventListener("closed", lost);
    events.addEventListener("error", lost);
  }).finally(() => events.close());
}
