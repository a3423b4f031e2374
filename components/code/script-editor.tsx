"use client";

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting, syntaxTree } from "@codemirror/language";
import { linter, type Diagnostic } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useEffectEvent, useRef } from "react";

/** What the editor is given. */
export interface ScriptEditorProps {
  value: string;
  onChange: (value: string) => void;
  readOnly?: boolean | undefined;
  "aria-label": string;
}

/** The house's colours, which follow the theme by themselves. */
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: "var(--accent)" },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], color: "var(--allow)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--warn)" },
  { tag: [tags.comment], color: "var(--faint)", fontStyle: "italic" },
  { tag: [tags.invalid], color: "var(--deny)" },
]);

const look = EditorView.theme({
  "&": { fontSize: "0.75rem", color: "var(--ink)", backgroundColor: "var(--raised)", maxHeight: "32rem" },
  ".cm-scroller": { fontFamily: "var(--font-mono), monospace", lineHeight: "1.25rem", overflow: "auto" },
  ".cm-content": { caretColor: "var(--ink)", minHeight: "12rem" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--sunken)", color: "var(--faint)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "var(--hover)" },
  "&.cm-focused": { outline: "2px solid var(--accent)" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    backgroundColor: "var(--accent-soft)",
  },
  ".cm-tooltip": { backgroundColor: "var(--raised)", borderColor: "var(--line)", color: "var(--ink)" },
});

/** A script as code. Tab leaves it, as it leaves every field. */
export function ScriptEditor({ value, onChange, readOnly = false, "aria-label": label }: ScriptEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const changed = useEffectEvent(onChange);
  const startsWith = useEffectEvent(() => value);

  useEffect(() => {
    if (place.current === null) return;
    const view = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: startsWith(),
        extensions: [
          EditorView.cspNonce.of(pageNonce()),
          EditorView.contentAttributes.of({ "aria-label": label }),
          EditorState.readOnly.of(readOnly),
          EditorView.editable.of(!readOnly),
          lineNumbers(),
          history(),
          drawSelection(),
          highlightActiveLine(),
          indentOnInput(),
          bracketMatching(),
          javascript(),
          linter(problemsOf),
          syntaxHighlighting(colours),
          look,
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed(update.state.doc.toString());
          }),
        ],
      }),
    });
    editor.current = view;
    return () => {
      editor.current = null;
      view.destroy();
    };
  }, [label, readOnly]);

  // A value from elsewhere (discard, reload) replaces the text; what was typed here is there already.
  useEffect(() => {
    const view = editor.current;
    if (view === null || view.state.doc.toString() === value) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } });
  }, [value]);

  return <div ref={place} className="overflow-hidden rounded-md border border-edge" />;
}

/** Where the text stops being JavaScript; the server says it in words when the tool is saved. */
function problemsOf(view: EditorView): Diagnostic[] {
  const problems: Diagnostic[] = [];
  syntaxTree(view.state).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError && problems.length === 0)
        problems.push({ from, to: Math.max(to, from), severity: "error", message: "This is not valid JavaScript." });
    },
  });
  return problems;
}

/** Styles that are made here carry the page's own nonce, as its policy asks. */
function pageNonce(): string {
  return document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
}
