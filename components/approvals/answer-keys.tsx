import { useKey } from "@/components/keyboard/use-key";

/** The keys that approve and refuse what a page shows. */
export function AnswerKeys({ onAnswer }: { onAnswer: (answer: "approve" | "refuse") => void }) {
  useKey("approve", () => onAnswer("approve"));
  useKey("refuse", () => onAnswer("refuse"));
  return null;
}
