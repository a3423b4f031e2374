import { isWidening } from "@/components/impact/impact-words";
import { measure } from "@/components/impact/use-impact";
import { changesOf } from "@/components/resource/editor/changes";
import { ReviewDialog } from "@/components/resource/editor/review-dialog";
import { planSave } from "@/components/resource/editor/use-row-plan";
import type { Save } from "@/components/resource/editor/use-save";
import { Problem } from "@/components/resource/request";
import type { Warning } from "@/lib/contracts/changes/row-plan";
import type { ResourceName } from "@/lib/resources";
import { isMeasuredOnCallers } from "@/lib/resources/impacts";
import { isConfigSection } from "@/lib/resources/sections";

/** A change of a stored row that must be reviewed before it is saved. */
export interface SwitchReview {
  readonly before: object;
  readonly after: object;
  readonly warnings: readonly Warning[];
}

/**
 * The review that a change of a stored row needs. `null` = none: the change lets nobody see or call more, or the save
 * itself reports a refusal or the review of a second person. A change that cannot be measured is reviewed.
 */
export async function reviewOf<R extends ResourceName>(
  resource: R,
  before: object,
  { input, replaces }: Required<Pick<Save<R>, "input" | "replaces">>,
): Promise<SwitchReview | null> {
  if (!isMeasuredOnCallers(resource)) return null;
  const [plan, measured] = await Promise.all([
    planSave(resource, { input, replaces }).catch(refusalOrNull),
    measure({ resource, id: replaces.id, input }, false).catch(() => null),
  ]);
  // An enabled issuer lets in callers that the log has not seen yet.
  const admitsNewCallers = resource === "issuers" && "enabled" in input && input.enabled === true;
  if (!admitsNewCallers && measured?.kind === "impact" && !isWidening(measured.impact)) return null;
  if (plan === "refused" || (plan !== null && (plan.errors.length > 0 || plan.review !== null))) return null;
  return { before, after: input, warnings: plan?.warnings ?? [] };
}

/** `null` for a server that is busy or does not answer: the save may still succeed. */
function refusalOrNull(error: unknown): "refused" | null {
  const isRefusal = error instanceof Problem && error.status >= 400 && error.status < 500;
  return isRefusal && error.status !== 408 && error.status !== 429 ? "refused" : null;
}

interface SwitchReviewDialogProps {
  resource: ResourceName;
  id: string;
  /** Such as "Deactivate". */
  action: string;
  review: SwitchReview;
  onClose: () => void;
  onSave: () => void;
}

/** Shows what a switch in a list would give to callers, before it is saved. */
export function SwitchReviewDialog({ resource, id, action, review, onClose, onSave }: SwitchReviewDialogProps) {
  const { before, after, warnings } = review;
  return (
    <ReviewDialog
      open
      onOpenChange={onClose}
      title={`${action} ${id}`}
      action={action}
      keep="Cancel"
      changes={changesOf(before, after)}
      warnings={warnings}
      change={isConfigSection(resource) ? { resource, id, input: after } : undefined}
      wording={undefined}
      pending={false}
      onSave={onSave}
    />
  );
}
