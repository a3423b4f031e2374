import { useState, type ComponentType } from "react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { changesOf, sentencesOf } from "@/components/resource/editor/changes";
import { ConflictDialog } from "@/components/resource/editor/conflict-dialog";
import { useDraft, type Draft, type DraftControl } from "@/components/resource/editor/draft";
import { DraftBar } from "@/components/resource/editor/draft-bar";
import { LeaveGuard } from "@/components/resource/editor/leave-guard";
import { ProblemNote, ProblemSummary } from "@/components/resource/problem-note";
import { Problem, request } from "@/components/resource/request";
import { PLAINLY, useFollowRequest, type SaveHow } from "@/components/resource/editor/follow-request";
import { ReviewDialog } from "@/components/resource/editor/review-dialog";
import { validateSettings } from "@/components/resource/editor/validate";
import { settingsInParts } from "@/components/settings/settings-words";
import { Skeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/overlays/toast";
import type { RequestRow } from "@/lib/contracts/changes/request";
import type { SettingsInput } from "@/lib/resources/settings";
import { useGet } from "@/components/resource/use-get";

/** The props of a form of settings. */
export interface SettingsFieldsProps {
  readonly draft: Draft<SettingsInput>;
}

interface SettingsEditorProps {
  canWrite: boolean;
  /** The settings that this page edits. A save keeps the others. */
  Fields: ComponentType<SettingsFieldsProps>;
  /** Their name in the review: "settings", "routing". */
  name: string;
}

/** A form over some of the installation's settings: draft, review, save, conflict, as for every object. */
export function SettingsEditor(props: SettingsEditorProps) {
  const settings = useSettings();
  if (settings.isLoadingError) return <ProblemNote error={settings.error} onRetry={() => void settings.refetch()} />;
  if (settings.isPending) return <Skeleton className="m-5 h-40" />;
  return <Loaded {...props} stored={settings.data} />;
}

function Loaded({ canWrite, Fields, name, stored }: SettingsEditorProps & { stored: Versioned }) {
  const control = useDraft<SettingsInput>(toInput(stored), { readOnly: !canWrite, isNew: false });
  const { draft } = control;
  const changes = changesOf(settingsInParts(control.base), settingsInParts(draft.value));
  const save = useSettingsSave(control, stored.version, name);
  const { theirs } = save;
  const change = { resource: "settings", id: null, input: draft.value } as const;
  return (
    <div className="flex flex-1 flex-col">
      <LeaveGuard active={changes.length > 0} />
      <div className="flex flex-1 flex-col gap-6 px-5 py-5">
        <ProblemSummary problems={control.problems} />
        <Fields draft={draft} />
      </div>
      {canWrite && (
        <DraftBar
          isNew={false}
          changes={sentencesOf(changes).length}
          word={name}
          pending={save.checking}
          change={change}
          onReview={() => void save.check()}
          onDiscard={control.discard}
          onCancel={control.discard}
        />
      )}
      <ReviewDialog
        open={save.reviewing && control.problems.length === 0}
        onOpenChange={save.setReviewing}
        title={`Review changes to ${name}`}
        changes={changes}
        change={change}
        wording={undefined}
        pending={save.isPending}
        waits={control.base.review.changes === "off" ? null : MAY_WAIT}
        onSave={save.run}
      />
      {theirs !== null && (
        <ConflictDialog
          base={control.base}
          theirs={theirs.settings}
          mine={draft.value}
          onCancel={() => save.settle()}
          onMerge={(merged) => {
            control.rebase(theirs.settings, merged);
            save.settle(theirs.version);
          }}
        />
      )}
    </div>
  );
}

/** Settings have no plan, so nobody knows yet whether the save waits. */
const MAY_WAIT = { sentence: null, mayBypass: false };

/** The check, the review and the save of a draft that is based on a version of the settings. */
function useSettingsSave(control: DraftControl<SettingsInput>, stored: number, name: string) {
  const [version, setVersion] = useState(stored);
  const [reviewing, setReviewing] = useState(false);
  const [checking, setChecking] = useState(false);
  const [theirs, setTheirs] = useState<{ settings: SettingsInput; version: number } | null>(null);
  const save = useSaveSettings();
  const { value } = control.draft;
  const follow = useFollowRequest(control.discard);

  const refuse = (error: Error) => {
    setReviewing(false);
    if (error instanceof Problem && error.code === "awaits_review")
      return void follow(error.current as RequestRow, PLAINLY);
    if (error instanceof Problem && error.code === "stale") return setTheirs(error.current as typeof theirs);
    const errors = error instanceof Problem ? error.errors : [];
    control.setProblems(errors.length > 0 ? errors : [{ path: "", message: error.message }]);
  };
  const run = ({ reason }: SaveHow) =>
    save.mutate(
      { settings: value, version, reason },
      {
        onSuccess: (saved) => {
          setReviewing(false);
          setVersion(saved.version);
          control.rebase(toInput(saved), toInput(saved));
          toast({ title: `Saved ${name}` });
        },
        onError: refuse,
      },
    );
  const check = async () => {
    setChecking(true);
    // If the check fails here, the server checks at the save.
    const problems = await validateSettings(value).catch(() => []);
    setChecking(false);
    control.setProblems(problems);
    if (problems.length === 0) setReviewing(true);
  };
  /** Ends a conflict, either unresolved or on top of the other person's version. */
  const settle = (on = version) => {
    setVersion(on);
    setTheirs(null);
  };
  return { isPending: save.isPending, run, check, checking, reviewing, setReviewing, theirs, settle };
}

function toInput({ version: _version, ...settings }: Versioned): SettingsInput {
  return settings;
}

const ADDRESS = "/api/admin/settings";

/** The settings and the version that a save names; 0 = never changed. */
type Versioned = SettingsInput & { readonly version: number };

/** The settings in force. Not refetched during an edit: a save reports a conflict. */
function useSettings() {
  return useGet<Versioned>(["settings"], ADDRESS, {
    refetchOnWindowFocus: false,
  });
}

/** Replaces the whole settings, at the version that the person saw. */
function useSaveSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ settings, version, reason }: { settings: SettingsInput; version: number; reason: string }) =>
      request<Versioned>(ADDRESS, { method: "PUT", body: settings, ifMatch: version, reason, showsHeld: true }),
    onSuccess: (saved) => {
      client.setQueryData(["settings"], saved);
      return client.invalidateQueries({ refetchType: "active" });
    },
  });
}
