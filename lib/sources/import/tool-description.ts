const MAX_DESCRIPTION = 2000;
const LEFT_OUT_NOTE = "Parts of the input schema were left out because it is too large.";

/** A tool's description within its limit. @param pruned whether to add that parts of the input schema were left out */
export function toolDescription(text: string, pruned: boolean): string {
  const note = pruned ? `\n\n${LEFT_OUT_NOTE}` : "";
  const room = MAX_DESCRIPTION - note.length;
  return (text.length > room ? `${text.slice(0, room - 1)}…` : text) + note;
}
