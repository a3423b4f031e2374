import { javascript } from "@codemirror/lang-javascript";
import { HighlightStyle, syntaxHighlighting, syntaxTree } from "@codemirror/language";
import { linter, type Diagnostic } from "@codemirror/lint";
import type { Extension } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The app's colours, which follow the theme. */
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: "var(--accent)" },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], color: "var(--allow)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--warn)" },
  { tag: [tags.comment], color: "var(--faint)", fontStyle: "italic" },
  { tag: [tags.invalid], color: "var(--deny)" },
]);

/** The position of a JavaScript syntax error. The server describes the error when the tool is saved. */
function problemsOf(view: EditorView): Diagnostic[] {
  const problems: Diagnostic[] = [];
  syntaxTree(view.state).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError && problems.length === 0)
        problems.push({
          from,
          to: Math.max(to, from),
          severity: "error",
          message: "The script is not valid JavaScript.",
        });
    },
  });
  return problems;
}

/** JavaScript for the editor: colours and syntax errors. Loaded separately, because the editor would be too large with it. */
export const scriptLanguage: Extension = [javascript(), linter(problemsOf), syntaxHighlighting(colours)];
