import { useState } from "react";
import { problemsByField } from "@/components/resource/request";
import { useSetSecret } from "@/components/secrets/use-secrets";
import { Chips } from "@/components/ui/forms/combobox";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import type { SecretRow } from "@/lib/resources/secret";
import { isPlainText } from "@/lib/resources/parts/plain-text";

interface SetSecretProps {
  /** The secret to replace; `null` = a new one. */
  secret: Pick<SecretRow, "name" | "origins" | "revision"> | null;
  /** The suggested name and origins of a new secret. */
  suggested?: Pick<SecretRow, "name" | "origins"> | undefined;
  onClose: () => void;
  onSet?: ((name: string) => void) | undefined;
}

const BLANK = { name: "", origins: [] };

/** Creates only: a taken name is refused. */
const NOT_STORED = 0;

/** What a person types. An empty value keeps the stored one. */
interface SecretDraft {
  readonly name: string;
  readonly value: string;
  readonly origins: readonly string[];
}

/** A form for a secret's value and its origins. No page ever shows a stored value. */
export function SetSecret({ secret, suggested = BLANK, onClose, onSet }: SetSecretProps) {
  const [draft, setDraft] = useState<SecretDraft>({ ...(secret ?? suggested), value: "" });
  const { name, value, origins } = draft;
  // The page behind may load a newer version, whose origins this form does not show.
  const [revision] = useState(secret?.revision ?? NOT_STORED);
  const set = useSetSecret((made) => {
    onSet?.(made.name);
    onClose();
  });
  const problems = problemsByField(set.error, ["name", "value", "origins"]);
  return (
    <ActionDialog
      title={secret === null ? "New secret" : `Set ${secret.name}`}
      description="Quartermaster encrypts the value and never shows it again. Sources use it by name from their next call."
      action="Set secret"
      pending={set.isPending}
      disabled={name.trim() === "" || origins.length === 0 || (secret === null && value === "")}
      error={problems.other}
      isForm
      onAct={() => set.mutate({ name: name.trim(), revision, origins: [...origins], ...(value !== "" && { value }) })}
      onClose={onClose}
    >
      <SecretFields isNew={secret === null} draft={draft} onChange={setDraft} problems={problems.at} />
    </ActionDialog>
  );
}

interface SecretFieldsProps {
  isNew: boolean;
  draft: SecretDraft;
  onChange: (draft: SecretDraft) => void;
  problems: Partial<Record<keyof SecretDraft, string>>;
}

function SecretFields({ isNew, draft, onChange, problems }: SecretFieldsProps) {
  const { name, value, origins } = draft;
  const plain = origins.filter(isPlainText);
  return (
    <>
      {isNew && (
        <Field label="Name" hint="Sources use this name. It cannot be changed later" error={problems.name}>
          <Input mono value={name} onChange={(event) => onChange({ ...draft, name: event.target.value })} />
        </Field>
      )}
      <Field
        label="Value"
        hint={isNew ? undefined : "Leave it empty to keep the value and change only the origins"}
        error={problems.value}
      >
        <Input
          mono
          type="password"
          autoComplete="new-password"
          value={value}
          onChange={(event) => onChange({ ...draft, value: event.target.value })}
        />
      </Field>
      <Field
        label="May be sent to"
        hint="The origin of the upstream, such as https://api.example.com, and of the OAuth token URL. Quartermaster sends the secret to no other origin"
        error={problems.origins}
      >
        <Chips
          mono
          creatable
          options={[]}
          value={origins}
          onChange={(next) => onChange({ ...draft, origins: next })}
          placeholder="Type an origin and press Enter"
        />
      </Field>
      {plain.length > 0 && (
        <p role="status" className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
          The secret would be sent unencrypted to {plain.join(", ")}. Use https if the upstream supports it.
        </p>
      )}
    </>
  );
}
