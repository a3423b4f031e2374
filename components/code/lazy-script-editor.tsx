import type { ScriptEditorProps } from "@/components/code/script-editor";
import { lazyScreen } from "@/components/ui/lazy-screen";

/** The script editor, loaded when it is first needed. */
export const LazyScriptEditor = lazyScreen(async () => {
  const [{ ScriptEditor }, { scriptLanguage }] = await Promise.all([
    import("@/components/code/script-editor"),
    import("@/components/code/script-language"),
  ]);
  return function EditorOfScripts(props: Omit<ScriptEditorProps, "language">) {
    return <ScriptEditor {...props} language={scriptLanguage} />;
  };
});
