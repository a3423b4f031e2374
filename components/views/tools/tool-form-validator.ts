import { Validator, type Schema } from "@cfworker/json-schema";
import type { ValidatorType } from "@rjsf/utils";

/**
 * What the form asks about a value: which choice of several it fits. It generates no code, which our content policy
 * forbids. The arguments are judged by the server alone, as any call's.
 */
export const validator: ValidatorType = {
  isValid: (schema, value) => {
    try {
      // Both as they would be sent; the validator also marks the schema that it is given.
      return new Validator(sent(schema) as Schema, "2020-12").validate(sent(value)).valid;
    } catch {
      return false;
    }
  },
  validateFormData: () => ({ errors: [], errorSchema: {} }),
  rawValidation: () => ({}),
};

function sent(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}
