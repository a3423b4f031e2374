"use client";

import { useState } from "react";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { JsonEditor } from "@/components/ui/json-editor";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";
import { argumentFields, type ArgumentField } from "@/components/views/tool-argument-fields";
import type { Json, JsonObject } from "@/lib/access/configuration";
import { isObject } from "@/lib/manifest/json-schema";

const WRITTEN = [
  { value: "form", label: "Form" },
  { value: "json", label: "JSON" },
] as const;

interface ToolArgumentsProps {
  schema: JsonObject;
  value: Json;
  onChange: (value: Json) => void;
  /** Told whether what is typed can be sent at all. */
  onProblem: (problem: string | null) => void;
}

/** A call's arguments: a form made from the input schema, or JSON, for all that a form cannot say. */
export function ToolArguments({ schema, value, onChange, onProblem }: ToolArgumentsProps) {
  const fields = argumentFields(schema);
  const [written, setWritten] = useState<"form" | "json">(fields.length === 0 ? "json" : "form");
  // By argument: two fields may be wrong at once.
  const [problems, setProblems] = useState<Readonly<Record<string, string | null>>>({});
  const hold = (name: string, problem: string | null) => {
    const next = { ...problems, [name]: problem };
    setProblems(next);
    onProblem(Object.values(next).find((found) => found !== null) ?? null);
  };
  const write = (next: "form" | "json") => {
    // Text that is no value yet stays behind with its control.
    setProblems({});
    onProblem(null);
    setWritten(next);
  };
  return (
    <>
      {fields.length > 0 && <Segmented label="Arguments as" value={written} onChange={write} options={WRITTEN} />}
      {written === "form" ? (
        fields.map((field) => (
          <Argument
            key={field.name}
            field={field}
            value={isObject(value) ? value[field.name] : undefined}
            onChange={(next) => onChange(withMember(value, field.name, next))}
            onProblem={(problem) => hold(field.name, problem)}
          />
        ))
      ) : (
        <Field label="Arguments" hint="JSON, held to the input schema as any call's.">
          <JsonEditor
            value={value}
            onChange={(next) => onChange(next as Json)}
            onProblem={(problem) => hold("", problem)}
            rows={6}
            aria-label="Arguments"
          />
        </Field>
      )}
    </>
  );
}

interface ArgumentProps {
  field: ArgumentField;
  /** `undefined`: it is not sent. */
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  onProblem: (problem: string | null) => void;
}

function Argument(props: ArgumentProps) {
  const { name, kind, required, description } = props.field;
  const label = (
    <>
      <span className="font-mono">{name}</span>
      {required && <span className="font-normal text-faint"> required</span>}
    </>
  );
  return (
    <Field label={label} hint={description === "" ? undefined : description}>
      {kind === "choice" && <ChoiceControl {...props} />}
      {kind === "text" && <TextControl {...props} />}
      {kind === "number" && <NumberControl {...props} />}
      {kind === "json" && (
        <JsonEditor
          value={props.value}
          onChange={(next) => props.onChange(next === null ? undefined : (next as Json))}
          onProblem={props.onProblem}
          emptyAs={null}
          rows={3}
          placeholder={props.field.example === "" ? "JSON" : props.field.example}
        />
      )}
    </Field>
  );
}

function ChoiceControl({ field, value, onChange }: ArgumentProps) {
  const choices = field.choices.map((choice) => ({ value: choice, label: wordOf(choice) }));
  return (
    <Select
      value={value === undefined ? (field.required ? null : "") : JSON.stringify(value)}
      onChange={(next) => onChange(next === "" ? undefined : (JSON.parse(next) as Json))}
      options={field.required ? choices : [{ value: "", label: "Not sent" }, ...choices]}
      placeholder={field.required ? undefined : "Not sent"}
      className="max-w-64"
    />
  );
}

function TextControl({ field, value, onChange }: ArgumentProps) {
  return (
    <Input
      value={typeof value === "string" ? value : ""}
      onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
      placeholder={field.example}
    />
  );
}

function NumberControl({ field, value, onChange, onProblem }: ArgumentProps) {
  const [text, setText] = useState(typeof value === "number" ? String(value) : "");
  const wrong = !Number.isFinite(Number(text));
  const type = (next: string) => {
    setText(next);
    const sent = Number(next);
    onProblem(Number.isFinite(sent) ? null : `${field.name} must be a number.`);
    onChange(next.trim() === "" || !Number.isFinite(sent) ? undefined : sent);
  };
  return (
    <>
      <Input
        inputMode="decimal"
        value={text}
        onChange={(event) => type(event.target.value)}
        placeholder={field.example}
        aria-invalid={wrong || undefined}
        className="max-w-64 tabular-nums"
      />
      {wrong && (
        <p role="alert" className="text-xs text-deny">
          Write a number.
        </p>
      )}
    </>
  );
}

/** How a choice reads: a text without its quotes, unless it is empty. */
function wordOf(choice: string): string {
  const value: unknown = JSON.parse(choice);
  return typeof value === "string" && value !== "" ? value : choice;
}

/** The arguments with one of them set, or left out. What is no object starts anew. */
function withMember(args: Json, name: string, member: Json | undefined): JsonObject {
  const { [name]: _before, ...rest } = isObject(args) ? args : {};
  return member === undefined ? rest : { ...rest, [name]: member };
}
