import type { Index } from "@/lib/access/compile/compile";
import { toFinding, type Finding } from "@/lib/access/findings/finding";

/** The first answer of a tool that did not match its output schema. */
export interface Misfit {
  readonly toolId: string;
  /** The definition that the answer was validated against. */
  readonly definitionHash: string;
  /** A JSON pointer into the answer. */
  readonly pointer: string;
  readonly message: string;
}

/** Finds tools whose answers do not match their present output schema. */
export function findMisfits({ tools }: Index, misfits: readonly Misfit[]): readonly Finding[] {
  const hashes = new Map(tools.all.map(({ id, definitionHash }) => [id, definitionHash]));
  return misfits
    .filter(({ toolId, definitionHash }) => hashes.get(toolId) === definitionHash)
    .map(({ toolId, pointer, message }) =>
      toFinding({
        kind: "output_does_not_fit",
        about: { kind: "tool", name: toolId },
        text: `Results of \`${toolId}\` do not match its output schema${pointer === "" ? "" : ` at \`${pointer}\``}: ${message}.`,
        fix: "Correct the output schema, or contact the owner of the upstream. To withhold such results, change the output check.",
      }),
    );
}
