"use client";

import { useId, useState, type FormEvent } from "react";
import { Problem, type FieldProblem } from "@/components/resource/request";
import { useSetSecret } from "@/components/secrets/use-secrets";
import { Button } from "@/components/ui/button";
import { Chips } from "@/components/ui/forms/combobox";
import { Dialog } from "@/components/ui/overlays/dialog";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import type { SecretRow } from "@/lib/resources/secret";
import { isPlainText } from "@/lib/resources/parts/plain-text";

interface SetSecretProps {
  /** The secret to replace; `null` = a new one. */
  secret: Pick<SecretRow, "name" | "origins"> | null;
  /** The suggested name and origins of a new secret. */
  suggested?: Pick<SecretRow, "name" | "origins"> | undefined;
  onClose: () => void;
  onSet?: ((name: string) => void) | undefined;
}

const BLANK = { name: "", origins: [] };

/** What a person types. An empty value keeps the stored one. */
interface SecretDraft {
  readonly name: string;
  readonly value: string;
  readonly origins: readonly string[];
}

/** A form for a secret's value and its origins. No page ever shows a stored value. */
export function SetSecret({ secret, suggested = BLANK, onClose, onSet }: SetSecretProps) {
  const form = useId();
  const [draft, setDraft] = useState<SecretDraft>({ ...(secret ?? suggested), value: "" });
  const { name, value, origins } = draft;
  const set = useSetSecret((made) => {
    onSet?.(made.name);
    onClose();
  });
  const problems = set.error instanceof Problem ? set.error.errors : [];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // React hands it on through the portal, to a form that the dialog was opened from.
    event.stopPropagation();
    set.mutate({ name: name.trim(), origins: [...origins], ...(value !== "" && { value }) });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={secret === null ? "New secret" : `Set ${secret.name}`}
      description="Quartermaster encrypts the value and never shows it again. Sources use it by name from their next call."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form={form}
            variant="primary"
            pending={set.isPending}
            disabled={name.trim() === "" || origins.length === 0 || (secret === null && value === "")}
          >
            Set secret
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-4">
        {set.error !== null && problems.length === 0 && (
          <p role="alert" className="rounded-lg bg-deny-soft px-3 py-2 text-sm text-deny">
            {set.error.message}
          </p>
        )}
        <SecretFields isNew={secret === null} draft={draft} onChange={setDraft} problems={problems} />
      </form>
    </Dialog>
  );
}

interface SecretFieldsProps {
  isNew: boolean;
  draft: SecretDraft;
  onChange: (draft: SecretDraft) => void;
  problems: readonly FieldProblem[];
}

function SecretFields({ isNew, draft, onChange, problems }: SecretFieldsProps) {
  const { name, value, origins } = draft;
  const plain = origins.filter(isPlainText);
  const errorOf = (field: string) => problems.find(({ path }) => path.startsWith(field))?.message;
  return (
    <>
      {isNew && (
        <Field label="Name" hint="Sources use this name. It cannot change later">
          <Input mono value={name} onChange={(event) => onChange({ ...draft, name: event.target.value })} />
        </Field>
      )}
      <Field
        label="Value"
        hint={isNew ? undefined : "Leave it empty to keep the value and change only the origins"}
        error={errorOf("value")}
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
        error={errorOf("origins")}
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
