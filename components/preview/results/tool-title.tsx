import { VisibleText } from "@/components/ui/visible-text";

interface ToolTitleProps {
  toolId: string;
  displayName: string | null;
}

/** A tool's display name from its source, and its id. */
export function ToolTitle({ toolId, displayName }: ToolTitleProps) {
  if (displayName === null) return toolId;
  return (
    <>
      <VisibleText text={displayName} /> · {toolId}
    </>
  );
}
