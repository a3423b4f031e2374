import type { ComboboxOption } from "@/components/ui/forms/combobox";
import type { Input } from "@/lib/resources";

type Algorithm = Input<"issuers">["algorithms"][number];

/** A description of every signature algorithm in the schema; the type requires all of them. */
const MEANS: Record<Algorithm, string> = {
  ES256: "ECDSA P-256",
  RS256: "RSA",
  EdDSA: "Ed25519",
  ES384: "ECDSA P-384",
  ES512: "ECDSA P-521",
  RS384: "RSA",
  RS512: "RSA",
  PS256: "RSA-PSS",
  PS384: "RSA-PSS",
  PS512: "RSA-PSS",
};

export const ALGORITHM_OPTIONS: readonly ComboboxOption[] = Object.entries(MEANS).map(([value, hint]) => ({
  value,
  hint,
}));
