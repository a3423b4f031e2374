import { Fragment } from "react";

/** The id of a tool. A narrow column breaks it after `:`, `_`, `-` or `.`, never within a word that fits. */
export function ToolId({ id }: { id: string }) {
  return (
    <span className="font-mono text-xs break-words">
      {id.split(/(?<=[:_.-])/).map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
