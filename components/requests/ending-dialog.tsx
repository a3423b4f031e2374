import { subjectInText } from "@/components/requests/request-words";
import { useEnding, type Ending } from "@/components/requests/use-requests";
import { ReasonDialog } from "@/components/ui/overlays/reason-dialog";
import type { RequestRow } from "@/lib/contracts/changes/request";

interface Words {
  readonly title: (subject: string) => string;
  readonly says: string;
  readonly action: string;
}

const WORDS: Readonly<Record<Ending, Words>> = {
  approve: {
    title: (subject) => `Approve ${subject}`,
    says: "The changes are checked again and saved in one revision.",
    action: "Approve request",
  },
  refuse: {
    title: (subject) => `Refuse ${subject}`,
    says: "Nothing is saved. The person who asked sees your reason.",
    action: "Refuse request",
  },
  withdraw: { title: (subject) => `Withdraw ${subject}`, says: "Nothing is saved.", action: "Withdraw request" },
  bypass: {
    title: (subject) => `Apply ${subject} without review`,
    says: "For emergencies. The change is saved now, all admins see it, and it is reverted unless a second person confirms it in time.",
    action: "Apply now without review",
  },
  confirm: {
    title: (subject) => `Confirm ${subject}`,
    says: "You confirm as the second person. The change stays in place.",
    action: "Confirm change",
  },
  revert: {
    title: (subject) => `Revert ${subject}`,
    says: "Restores the earlier values of these rows. Later edits of the rows are lost, unless a second person approved them.",
    action: "Revert now",
  },
};

interface EndingDialogProps {
  request: Pick<RequestRow, "id" | "hash" | "target" | "facts" | "status">;
  ending: Ending;
  onClose: () => void;
}

/** Asks for the reason of an answer and sends it. */
export function EndingDialog({ request, ending, onClose }: EndingDialogProps) {
  const answer = useEnding(request, onClose);
  const { title, says, action } = WORDS[ending];
  return (
    <ReasonDialog
      title={title(subjectInText(request))}
      description={says}
      action={action}
      tone={ending === "refuse" || ending === "bypass" || ending === "revert" ? "danger" : "primary"}
      required={ending === "bypass"}
      pending={answer.isPending}
      error={answer.error?.message}
      hint="Stored with the request"
      onSend={(reason) => answer.mutate({ ending, reason })}
      onClose={onClose}
    />
  );
}
