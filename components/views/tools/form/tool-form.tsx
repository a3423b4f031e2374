// Imports this file, because the package's index imports a validator that is not installed.
import Rjsf from "@rjsf/core/lib/components/Form.js";
import { ErrorSchemaBuilder, TranslatableString, englishStringTranslator } from "@rjsf/utils";
import {
  ArrayFieldItemTemplate,
  ArrayFieldTemplate,
  FieldTemplate,
  MultiSchemaFieldTemplate,
  ObjectFieldTemplate,
} from "@/components/views/tools/form/tool-form-templates";
import { writtenOf } from "@/components/views/tools/form/tool-form-schema";
import { validator } from "@/components/views/tools/form/tool-form-validator";
import { JsonField, SelectWidget, TextWidget, type FormContext } from "@/components/views/tools/form/tool-form-widgets";
import { stepsOf, type ArgumentProblem } from "@/components/views/tools/tool-argument-problems";
import type { Json, JsonObject } from "@/lib/access/model/configuration";

const templates = {
  ArrayFieldItemTemplate,
  ArrayFieldTemplate,
  FieldTemplate,
  MultiSchemaFieldTemplate,
  ObjectFieldTemplate,
};
const widgets = { TextWidget, SelectWidget, CheckboxWidget: SelectWidget };
const fields = { FallbackField: JsonField };

/** Sends only entered values. A constant that identifies an alternative of `oneOf` is set when a person selects it. */
const defaults = {
  emptyObjectFields: "skipDefaults",
  arrayMinItems: { populate: "never" },
  constAsDefaults: "skipOneOf",
  mergeDefaultsIntoFormData: "useDefaultIfFormDataUndefined",
  requiredBooleanDefault: "skip",
} as const;

interface ToolFormProps {
  /** The output of `formSchema`. */
  schema: JsonObject;
  value: Json;
  onChange: (value: Json) => void;
  problems: readonly ArgumentProblem[];
  block: FormContext["block"];
}

/** The fields of a call's arguments, for use inside a form. */
export function ToolForm({ schema, value, onChange, problems, block }: ToolFormProps) {
  const errors = new ErrorSchemaBuilder();
  for (const { pointer, message } of problems) errors.addErrors(message, [...stepsOf(pointer)]);
  return (
    <Rjsf
      tagName="div"
      schema={schema}
      uiSchema={{ "ui:submitButtonOptions": { norender: true } }}
      validator={validator}
      formData={value}
      onChange={({ formData }) => onChange(writtenOf(schema, JSON.parse(JSON.stringify(formData ?? {})) as Json))}
      extraErrors={errors.ErrorSchema}
      formContext={{ block }}
      templates={templates}
      widgets={widgets}
      fields={fields}
      translateString={translate}
      experimental_defaultFormStateBehavior={defaults}
      idPrefix="argument"
      showErrorList={false}
      noValidate
    />
  );
}

/** A new text field is empty, instead of holding the form library's "New Value". */
function translate(key: TranslatableString, params?: string[]): string {
  return key === TranslatableString.NewStringDefault ? "" : englishStringTranslator(key, params);
}
