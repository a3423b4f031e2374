import {
  ADDITIONAL_PROPERTY_FLAG,
  canExpand,
  type ArrayFieldItemTemplateProps,
  type ArrayFieldTemplateProps,
  type FieldTemplateProps,
  type MultiSchemaFieldTemplateProps,
  type ObjectFieldTemplateProps,
} from "@rjsf/utils";
import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import { createContext, useContext } from "react";
import { Button, IconButton } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { WithCode } from "@/components/ui/json/with-code";
import { ArgumentErrors } from "@/components/views/tools/argument-errors";

/** The field whose name is already shown: a choice and its chosen value are one field. */
const Named = createContext("");

/** One value with its name, description and problems: a control, or a group of fields. */
export function FieldTemplate(props: FieldTemplateProps) {
  const { id, fieldPathId, schema, required = false, rawDescription = "", children, onRemoveProperty } = props;
  const named = useContext(Named) === id;
  const errors = props.rawErrors ?? [];
  const place = fieldPathId.path.at(-1);
  if (place === undefined || (named && isGroup(props)))
    return (
      <div className="flex flex-col gap-3">
        {!named && <ArgumentErrors errors={errors} />}
        {children}
      </div>
    );
  const item = typeof place === "number";
  const name = item ? `#${place + 1}` : place;
  const label = (
    <>
      <span className="font-mono">{name}</span>
      {required && !item && <span className="font-normal text-faint"> required</span>}
    </>
  );
  const hint = rawDescription === "" ? undefined : rawDescription;
  const field = isGroup(props) ? (
    <fieldset className="flex min-w-0 flex-col gap-3 rounded-md border border-line p-3">
      <legend className="px-1 text-xs font-medium text-muted">{label}</legend>
      {hint !== undefined && <WithCode as="p" className="text-xs text-faint" text={hint} />}
      <ArgumentErrors errors={errors} />
      <Named value={id}>{children}</Named>
    </fieldset>
  ) : (
    <Field
      label={label}
      hint={hint}
      error={named || errors.length === 0 ? undefined : <ArgumentErrors errors={errors} />}
      hideLabel={named}
    >
      {children}
    </Field>
  );
  if (!(ADDITIONAL_PROPERTY_FLAG in schema)) return field;
  return (
    <div className="grid grid-cols-[10rem_minmax(0,1fr)_auto] items-end gap-2">
      <Field label="Name" className="self-start">
        <Input key={name} mono defaultValue={name} onBlur={props.onKeyRenameBlur} />
      </Field>
      {field}
      <IconButton icon={Trash2} className="mb-0.5" label={`Remove ${name}`} onClick={onRemoveProperty} />
    </div>
  );
}

function isGroup({ schema, registry: { schemaUtils } }: FieldTemplateProps): boolean {
  if (schemaUtils.isSelect(schema)) return false;
  return schema.type === "object" || schema.type === "array" || schema.oneOf !== undefined;
}

/** The fields of an object, and another one where the schema allows it. */
export function ObjectFieldTemplate(props: ObjectFieldTemplateProps) {
  const { properties, schema, uiSchema, formData, onAddProperty } = props;
  const open = canExpand(schema, uiSchema, formData);
  if (properties.length === 0 && !open) return null;
  return (
    <>
      {properties.map(({ content }) => content)}
      {open && <AddButton label="Add a field" onClick={onAddProperty} />}
    </>
  );
}

/** The items of a list, and a button for another. */
export function ArrayFieldTemplate({ items, canAdd = false, onAddClick }: ArrayFieldTemplateProps) {
  return (
    <>
      {items}
      {canAdd && <AddButton label="Add an item" onClick={onAddClick} />}
    </>
  );
}

function AddButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <div>
      <Button size="sm" onClick={onClick}>
        <Plus aria-hidden />
        {label}
      </Button>
    </div>
  );
}

/** One item, which can be moved and removed. */
export function ArrayFieldItemTemplate({ children, buttonsProps, index }: ArrayFieldItemTemplateProps) {
  const { hasMoveUp, hasMoveDown, hasRemove, onMoveUpItem, onMoveDownItem, onRemoveItem } = buttonsProps;
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1">{children}</div>
      <div className="flex pt-5">
        <IconButton icon={ArrowUp} label={`Move item ${index + 1} up`} disabled={!hasMoveUp} onClick={onMoveUpItem} />
        <IconButton
          icon={ArrowDown}
          label={`Move item ${index + 1} down`}
          disabled={!hasMoveDown}
          onClick={onMoveDownItem}
        />
        {hasRemove && <IconButton icon={Trash2} label={`Remove item ${index + 1}`} onClick={onRemoveItem} />}
      </div>
    </div>
  );
}

/** Which of several shapes a value has, and its fields. */
export function MultiSchemaFieldTemplate({ selector, optionSchemaField }: MultiSchemaFieldTemplateProps) {
  return (
    <>
      {selector}
      {optionSchemaField}
    </>
  );
}
