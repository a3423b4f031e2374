"use client";

import { useState } from "react";
import { totalText } from "@/components/resource/total-text";
import type { Selection } from "@/components/resource/use-selection";
import { Button, buttonStyle } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Segmented } from "@/components/ui/segmented";
import type { ResourceName } from "@/lib/resources";
import { EXPORT_FORMATS, EXPORT_TYPES, exportHead, exportLine, type ExportFormat } from "@/lib/resources/export";
import type { Total } from "@/lib/resources/list";

export interface ExportDialogProps {
  resource: ResourceName;
  words: readonly [string, string];
  /** The list's question to the server: search, filters and order. */
  asked: Readonly<Record<string, string>>;
  /** Ids of the columns that show. */
  columns: readonly string[];
  rows: readonly object[];
  idOf: (row: never) => string;
  of: Total | undefined;
  selection: Selection;
  onClose: () => void;
}

const FORMATS = EXPORT_FORMATS.map((value) => ({ value, label: value.toUpperCase() }));

/** What of a list becomes a file, and how: all that matches comes from the server as it is read, the rest is here. */
export function ExportDialog({
  resource,
  words,
  asked,
  columns,
  rows,
  idOf,
  of,
  selection,
  onClose,
}: ExportDialogProps) {
  const chosen = selection.all ? [] : rows.filter((row) => selection.has(idOf(row as never)));
  const [what, setWhat] = useState<"all" | "shown" | "chosen">(chosen.length > 0 ? "chosen" : "all");
  const [fields, setFields] = useState<"columns" | "every">("columns");
  const [format, setFormat] = useState<ExportFormat>("csv");
  const known = Object.keys(rows[0] ?? {});
  // A column that is no field is made of others: they can be had by every field.
  const wanted = fields === "every" ? known : columns.filter((column) => known.includes(column));
  const counts = { all: of === undefined ? "all" : totalText(of), shown: rows.length, chosen: chosen.length };
  const options = [
    { value: "all" as const, label: `All ${counts.all} that match` },
    { value: "shown" as const, label: `${counts.shown.toLocaleString("en")} shown` },
    ...(chosen.length > 0 ? [{ value: "chosen" as const, label: `${counts.chosen.toLocaleString("en")} chosen` }] : []),
  ];
  const search = new URLSearchParams({ ...asked, format, ...(fields === "columns" && { columns: wanted.join() }) });
  const save = () => {
    const lines = (what === "shown" ? rows : chosen).map((row) => exportLine(format, wanted, row));
    saveFile(resource, format, [exportHead(format, wanted), ...lines]);
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title={`Export ${words[1]}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {what === "all" ? (
            <a
              href={`/api/admin/exports/${resource}?${search}`}
              download
              onClick={onClose}
              className={buttonStyle({ variant: "primary" })}
            >
              Export {counts.all} {words[1]}
            </a>
          ) : (
            <Button variant="primary" onClick={save}>
              Export {counts[what].toLocaleString("en")} {counts[what] === 1 ? words[0] : words[1]}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label="Rows" group>
          <Segmented label="Rows" value={what} onChange={setWhat} options={options} />
        </Field>
        <Field
          label="Fields"
          group
          hint={fields === "columns" ? wanted.join(", ") : `All ${known.length} fields, in the words of the API.`}
        >
          <Segmented
            label="Fields"
            value={fields}
            onChange={setFields}
            options={[
              { value: "columns", label: "The columns shown" },
              { value: "every", label: "Every field" },
            ]}
          />
        </Field>
        <Field label="Format" group hint="In CSV, text that a spreadsheet would run as a formula gets an apostrophe.">
          <Segmented label="Format" value={format} onChange={setFormat} options={FORMATS} />
        </Field>
      </div>
    </Dialog>
  );
}

function saveFile(resource: ResourceName, format: ExportFormat, parts: string[]): void {
  const address = URL.createObjectURL(new Blob(parts, { type: `${EXPORT_TYPES[format]};charset=utf-8` }));
  const download = `${resource}-${new Date().toISOString().slice(0, 10)}.${format}`;
  Object.assign(document.createElement("a"), { href: address, download }).click();
  URL.revokeObjectURL(address);
}
