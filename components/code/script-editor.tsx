import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useEffectEvent, useRef } from "react";

export interface ScriptEditorProps {
  value: string;
  onChange: (value: string) => void;
  readOnly?: boolean | undefined;
  "aria-label": string;
  language: Extension;
}

const theme = EditorView.theme({
  "&": { fontSize: "0.75rem", color: "var(--ink)", backgroundColor: "var(--raised)", maxHeight: "32rem" },
  ".cm-scroller": { fontFamily: "var(--font-mono), monospace", lineHeight: "1.25rem", overflow: "auto" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-content, .cm-gutter": { minHeight: "12rem" },
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

/** A script editor. Tab leaves it, as in every other field. */
export function ScriptEditor({ value, onChange, readOnly = false, "aria-label": label, language }: ScriptEditorProps) {
  const container = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const onDocChanged = useEffectEvent(onChange);
  const initialText = useEffectEvent(() => value);

  useEffect(() => {
    if (container.current === null) return;
    const view = new EditorView({
      parent: container.current,
      state: EditorState.create({
        doc: initialText(),
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
          language,
          theme,
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) onDocChanged(update.state.doc.toString());
          }),
        ],
      }),
    });
    editor.current = view;
    return () => {
      editor.current = null;
      view.destroy();
    };
  }, [label, readOnly, language]);

  // Replaces the text when the value changes elsewhere (discard, reload). Typing here makes both equal.
  useEffect(() => {
    const view = editor.current;
    if (view === null || view.state.doc.toString() === value) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } });
  }, [value]);

  return <div ref={container} className="overflow-hidden rounded-md border border-edge" />;
}

/** The page's nonce, which its content policy requires for styles that scripts add. */
function pageNonce(): string {
  return document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
}
