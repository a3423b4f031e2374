import { Validator, type Schema } from "@cfworker/json-schema";
import type { ValidatorType } from "@rjsf/utils";

/**
 * Answers the form's only question about a value: which choice it matches. Generates no code, which the content policy
 * forbids. Only the server validates the arguments.
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
