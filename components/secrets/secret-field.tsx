import { useState } from "react";
import type { Bound } from "@/components/resource/editor/bind";
import { useCan } from "@/components/resource/who";
import { SetSecret } from "@/components/secrets/set-secret";
import { useSecrets } from "@/components/secrets/use-secrets";
import { Button } from "@/components/ui/button";
import { Combobox } from "@/components/ui/forms/combobox";
import { Field } from "@/components/ui/forms/field";
import { TextLink } from "@/components/ui/text-link";

interface SecretFieldProps {
  label?: string;
  /** What the secret is for, when the label does not say it. */
  hint?: string;
  bound: Bound<string>;
  /** The origins of a new secret, as far as the form knows them. */
  origins: readonly string[];
}

/** The name of a stored secret; an administrator may set a new one in place. */
export function SecretField({
  label = "Secret",
  hint = "The name of a stored secret",
  bound: { path, value, onChange, error, readOnly },
  origins,
}: SecretFieldProps) {
  const secrets = useSecrets();
  const mayWrite = useCan("secrets:write");
  const [adding, setAdding] = useState(false);
  const known = secrets.data?.find(({ name }) => name === value);
  const missing = secrets.data !== undefined && value !== "" && known === undefined;
  return (
    <>
      <div className="flex items-start gap-2">
        <Field
          label={label}
          path={path}
          error={error}
          className="flex-1"
          hint={
            missing ? (
              <span className="text-warn">This secret does not exist. Calls are refused until you set it</span>
            ) : (
              <>
                {hint}. <TextLink href="/admin/secrets">All secrets</TextLink>
              </>
            )
          }
        >
          <Combobox
            mono
            creatable
            value={value === "" ? null : value}
            onChange={(name) => onChange(name ?? "")}
            options={(secrets.data ?? []).map(({ name, origins: to }) => ({ value: name, hint: to.join(", ") }))}
            disabled={readOnly}
            placeholder="Select…"
            empty={secrets.data?.length === 0 ? "No secrets yet" : undefined}
          />
        </Field>
        {!readOnly && mayWrite && (
          <Button className="mt-5" onClick={() => setAdding(true)}>
            New secret…
          </Button>
        )}
      </div>
      {adding && (
        <SetSecret
          secret={null}
          suggested={{ name: missing ? value : "", origins: [...origins] }}
          onClose={() => setAdding(false)}
          onSet={onChange}
        />
      )}
    </>
  );
}
