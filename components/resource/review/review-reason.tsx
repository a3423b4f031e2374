import { Field } from "@/components/ui/forms/field";
import { Textarea } from "@/components/ui/forms/textarea";
import { WithCode } from "@/components/ui/json/with-code";
import type { RowPlan } from "@/lib/contracts/changes/row-plan";

/** Why a save waits for a second person, and whether an emergency may skip the review. */
export type RequiredReview = NonNullable<RowPlan["review"]>;

interface ReviewReasonProps {
  review: RequiredReview;
  reason: string;
  onReason: (reason: string) => void;
}

/** Why the change waits, and the requester's reason for the person who answers. */
export function ReviewReason({ review, reason, onReason }: ReviewReasonProps) {
  return (
    <section aria-label="Review by a second person" className="flex flex-col gap-3">
      <WithCode
        as="p"
        className="rounded-md bg-warn-soft px-3 py-2 text-sm"
        text={`This change waits for a second person. ${review.sentence}`}
      />
      <Field
        label={review.mayBypass ? "Reason" : "Reason (optional)"}
        hint={
          review.mayBypass
            ? "The second person reads it. To apply the change without review, a reason and a sign-in of the last 10 minutes are required"
            : "The second person reads it"
        }
        path="reason"
      >
        <Textarea value={reason} maxLength={500} onChange={(event) => onReason(event.target.value)} />
      </Field>
    </section>
  );
}
