import { useRef, useState, type ComponentType } from "react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { OpenChange } from "@/components/requests/open-change";
import { useNoticesLoaded } from "@/components/resource/detail/notices";
import { changesOf, sentencesOf } from "@/components/resource/editor/changes";
import { ConflictDialog } from "@/components/resource/editor/conflict-dialog";
import { useDraft, type Draft } from "@/components/resource/editor/draft";
import { DraftBar } from "@/components/resource/editor/draft-bar";
import { LeaveGuard } from "@/components/resource/editor/leave-guard";
import { useOpenAtField } from "@/components/resource/editor/open-at-field";
import { useGo } from "@/components/resource/go";
import { ProblemNote, ProblemSummary } from "@/components/resource/problem-note";
import { Problem, problemsOf, request } from "@/components/resource/request";
import { PLAINLY, useFollowRequest, type SaveHow } from "@/components/resource/editor/follow-request";
import { ReviewDialog } from "@/components/resource/editor/review-dialog";
import { useReview } from "@/components/resource/editor/use-review";
import { validateSettings } from "@/components/resource/editor/validate";
import { reviewEffect, settingsInParts } from "@/components/settings/settings-words";
import { Skeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/overlays/toast";
import type { RowPlan } from "@/lib/contracts/changes/row-plan";
import type { RequestRow } from "@/lib/contracts/changes/request";
import type { SettingsInput } from "@/lib/resources/settings";
import { useGet } from "@/components/resource/use-get";

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
  const isReady = useNoticesLoaded();
  if (settings.isLoadingError) return <ProblemNote error={settings.error} onRetry={() => void settings.refetch()} />;
  return (
    <>
      <OpenChange resource="settings" id="settings" className="mx-5 mt-3 max-w-4xl" />
      {settings.isPending || !isReady ? (
        <Skeleton className="m-5 h-40" />
      ) : (
        <Loaded {...props} stored={settings.data} />
      )}
    </>
  );
}

function Loaded({ canWrite, Fields, name, stored }: SettingsEditorProps & { stored: Versioned }) {
  const control = useSettingsDraft(stored, canWrite);
  const { draft } = control;
  useOpenAtField();
  const changes = changesOf(settingsInParts(control.base), settingsInParts(draft.value));
  const save = useSettingsSave(control, name);
  const review = useReview({
    control,
    validate: () => validateSettings(draft.value),
    plan: () => planSettings(draft.value, control.version),
    save,
  });
  const { theirs } = save;
  const change = { resource: "settings", id: null, input: draft.value } as const;
  return (
    <div className="flex flex-1 flex-col">
      <LeaveGuard active={changes.length > 0 || control.isBlocked} />
      <div key={control.fieldsKey} inert={review.checking} className="flex flex-1 flex-col gap-6 px-5 py-5">
        <ProblemSummary problems={review.problems} />
        <Fields draft={draft} />
      </div>
      {canWrite && (
        <DraftBar
          isNew={false}
          changes={sentencesOf(changes).length}
          isBlocked={control.isBlocked}
          word={name}
          pending={review.checking}
          change={change}
          onReview={review.review}
          onDiscard={control.discard}
          onCancel={control.discard}
        />
      )}
      <ReviewDialog
        {...review.dialog}
        title={`Review changes to ${name}`}
        changes={changes}
        change={change}
        wording={undefined}
        pending={save.isPending}
      />
      {theirs !== null && (
        <ConflictDialog
          base={control.base}
          theirs={theirs.settings}
          mine={draft.value}
          onCancel={save.settle}
          onMerge={(merged) => {
            control.startFrom({ ...theirs.settings, version: theirs.version }, merged);
            save.settle();
          }}
        />
      )}
    </div>
  );
}

/** A draft of the settings and the version that it is based on. Without changes it follows every newer version. */
export function useSettingsDraft(stored: Versioned, canWrite: boolean) {
  const control = useDraft<SettingsInput>(toInput(stored), { readOnly: !canWrite, isNew: false });
  const [version, setVersion] = useState(stored.version);
  const startFrom = (from: Versioned, value = toInput(from)) => {
    setVersion(from.version);
    control.rebase(toInput(from), value);
  };
  if (stored.version > version && control.changes.length === 0 && control.problems.length === 0) startFrom(stored);
  return { ...control, version, startFrom };
}

/** The save of a draft. */
function useSettingsSave(control: ReturnType<typeof useSettingsDraft>, name: string) {
  const [theirs, setTheirs] = useState<{ settings: SettingsInput; version: number } | null>(null);
  const save = useSaveSettings();
  const sent = useRef(PLAINLY);
  const follow = useFollowRequest(control.discard);
  const go = useGo();
  const finish = (saved: Versioned) => {
    const { review } = control.base;
    control.startFrom(saved);
    const effect = reviewEffect(review.changes, saved.review.changes);
    toast({
      title: effect?.title ?? `Saved ${name}`,
      ...(effect !== null && { next: { label: effect.label, open: () => go(effect.href) } }),
    });
  };
  const refuse = (error: Error) => {
    if (error instanceof Problem && error.code === "awaits_review")
      return void follow(error.current as RequestRow, sent.current);
    if (error instanceof Problem && error.code === "stale") return setTheirs(error.current as typeof theirs);
    control.setProblems(problemsOf(error));
  };
  return {
    isPending: save.isPending,
    run: (how: SaveHow, onSettled: (saved: unknown) => void) => {
      sent.current = how;
      const { draft, version } = control;
      const sending = { settings: draft.value, version, reason: how.reason };
      save.mutate(sending, { onSuccess: finish, onError: refuse, onSettled });
    },
    refuse,
    theirs,
    /** Ends a conflict, either unresolved or on top of the other person's version. */
    settle: () => setTheirs(null),
  };
}

function toInput({ version: _version, ...settings }: Versioned): SettingsInput {
  return settings;
}

const ADDRESS = "/api/admin/settings";

/** The settings and the version that a save names; 0 = never changed. */
type Versioned = SettingsInput & { readonly version: number };

/** The settings in force. Not refetched on focus during an edit: a save reports a conflict. */
function useSettings() {
  return useGet<Versioned>(["settings"], ADDRESS, {
    refetchOnWindowFocus: false,
  });
}

/** What a save would do: problems, warnings, and whether it waits for a second person. */
function planSettings(settings: SettingsInput, version: number): Promise<RowPlan> {
  return request<RowPlan>(`${ADDRESS}?dryRun=true`, { method: "PUT", body: settings, ifMatch: version });
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
