import { VisibleText } from "@/components/ui/visible-text";

interface ToolTitleProps {
  toolId: string;
  displayName: string | null;
}

/** What a tool is called for people, as its source says it, and its id. */
export function ToolTitle({ toolId, displayName }: ToolTitleProps) {
  if (displayName === null) return toolId;
  return (
    <>
      <VisibleText text={displayName} /> · {toolId}
    </>
  );
}
