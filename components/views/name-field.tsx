import { bind } from "@/components/resource/editor/bind";
import type { Draft } from "@/components/resource/editor/draft";
import { TextField } from "@/components/resource/fields/text-field";

/** The name that serves as id. */
export function NameField<T extends { name: string }>({
  draft,
  label = "Name",
  hint,
  fixed = false,
}: {
  draft: Draft<T>;
  label?: string;
  hint?: string;
  /** Once the row exists, it keeps its name. */
  fixed?: boolean;
}) {
  const named = draft as unknown as Draft<{ name: string }>;
  return (
    <TextField
      {...bind(named, "name")}
      label={label}
      hint={
        hint ??
        (draft.isNew ? "Letters, digits, “.”, “_” and “-”. The name is the id in the API and in documents" : undefined)
      }
      disabled={fixed && !draft.isNew}
      mono
    />
  );
}

/** The first two fields of most rows. */
export function NameAndDescription<T extends { name: string; description: string }>({ draft }: { draft: Draft<T> }) {
  const described = draft as unknown as Draft<{ description: string }>;
  return (
    <>
      <NameField draft={draft} />
      <TextField {...bind(described, "description")} label="Description" multiline />
    </>
  );
}
