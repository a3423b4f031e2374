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
import { Problem, request } from "@/components/resource/request";
import { PLAINLY, useFollowRequest, type SaveHow } from "@/components/resource/editor/follow-request";
import { ReviewDialog } from "@/components/resource/editor/review-dialog";
import { NO_PLAN } from "@/components/resource/editor/use-row-plan";
import { validateSettings } from "@/components/resource/editor/validate";
import { reviewEffect, settingsInParts } from "@/components/settings/settings-words";
import { Skeleton } from "@/components/ui/skeleton";
import { forgetOpener } from "@/components/ui/to-content";
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
  const { theirs } = save;
  const change = { resource: "settings", id: null, input: draft.value } as const;
  return (
    <div className="flex flex-1 flex-col">
      <LeaveGuard active={changes.length > 0 || control.isBlocked} />
      <div key={control.fieldsKey} inert={save.checking} className="flex flex-1 flex-col gap-6 px-5 py-5">
        <ProblemSummary problems={control.problems} />
        <Fields draft={draft} />
      </div>
      {canWrite && (
        <DraftBar
          isNew={false}
          changes={sentencesOf(changes).length}
          isBlocked={control.isBlocked}
          word={name}
          pending={save.checking}
          change={change}
          onReview={(from) => void save.check(from)}
          onDiscard={control.discard}
          onCancel={control.discard}
        />
      )}
      <ReviewDialog
        open={save.reviewing && control.problems.length === 0}
        onOpenChange={save.setReviewing}
        openedFrom={save.openedFrom}
        title={`Review changes to ${name}`}
        changes={changes}
        change={change}
        wording={undefined}
        pending={save.isPending}
        warnings={save.plan.warnings}
        waits={save.plan.review}
        onSave={save.run}
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

/** The check, the review and the save of a draft. */
function useSettingsSave(control: ReturnType<typeof useSettingsDraft>, name: string) {
  const { version } = control;
  const [reviewing, setReviewing] = useState(false);
  const [checking, setChecking] = useState(false);
  const openedFrom = useRef<Element | null>(null);
  const [plan, setPlan] = useState(NO_PLAN);
  const [theirs, setTheirs] = useState<{ settings: SettingsInput; version: number } | null>(null);
  const save = useSaveSettings();
  const { value } = control.draft;
  const follow = useFollowRequest(control.discard);
  const go = useGo();

  const refuse = (error: Error, how = PLAINLY) => {
    setReviewing(false);
    if (error instanceof Problem && error.code === "awaits_review")
      return void follow(error.current as RequestRow, how);
    if (error instanceof Problem && error.code === "stale") return setTheirs(error.current as typeof theirs);
    const errors = error instanceof Problem ? error.errors : [];
    control.setProblems(errors.length > 0 ? errors : [{ path: "", message: error.message }]);
  };
  const run = (how: SaveHow) =>
    save.mutate(
      { settings: value, version, reason: how.reason },
      {
        onSuccess: (saved) => {
          forgetOpener(openedFrom);
          setReviewing(false);
          const { review } = control.base;
          control.startFrom(saved);
          const effect = reviewEffect(review.changes, saved.review.changes);
          toast({
            title: effect?.title ?? `Saved ${name}`,
            ...(effect !== null && { next: { label: effect.label, open: () => go(effect.href) } }),
          });
        },
        onError: (error) => refuse(error, how),
      },
    );
  const check = async (from: Element | null) => {
    openedFrom.current = from;
    setChecking(true);
    try {
      // If this check fails to load, the server's alone checks.
      const problems = await validateSettings(value).catch(() => []);
      const planned = problems.length > 0 ? { ...NO_PLAN, errors: [...problems] } : await planSettings(value, version);
      control.setProblems(planned.errors);
      setPlan(planned);
      if (planned.errors.length === 0 && !control.isBlocked) setReviewing(true);
    } catch (error) {
      refuse(error instanceof Error ? error : new Error(String(error)));
    }
    setChecking(false);
  };
  /** Ends a conflict, either unresolved or on top of the other person's version. */
  const settle = () => setTheirs(null);
  return { isPending: save.isPending, run, check, checking, plan, reviewing, openedFrom, setReviewing, theirs, settle };
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
