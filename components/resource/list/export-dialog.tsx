import { useState } from "react";
import { toOptions } from "@/components/ui/forms/options";
import { totalText } from "@/components/resource/list/total-text";
import type { Selection } from "@/components/resource/list/use-selection";
import { useCan } from "@/components/resource/who";
import { Button, buttonStyle } from "@/components/ui/button";
import { Dialog } from "@/components/ui/overlays/dialog";
import { Field } from "@/components/ui/forms/field";
import { Segmented } from "@/components/ui/forms/segmented";
import { Switch } from "@/components/ui/forms/switch";
import { LOG_FORMATS } from "@/lib/contracts/log/execution-export";
import {
  EXPORT_FORMATS,
  EXPORT_TYPES,
  exportHead,
  exportLine,
  type ExportFormat,
} from "@/lib/contracts/changes/export";
import type { Total } from "@/lib/contracts/changes/list";
import type { ViewedList } from "@/lib/resources/saved-view";

export interface ExportDialogProps {
  list: ViewedList;
  words: readonly [string, string];
  /** The list's query to the server: search, filters and order. */
  apiQuery: Readonly<Record<string, string>>;
  /** The visible columns: names of fields, or of values made of some. */
  columns: readonly string[];
  rows: readonly object[];
  idOf: (row: never) => string;
  of: Total | undefined;
  selection: Selection;
  onClose: () => void;
}

/** Exports a list to a file. The server sends all matching rows; the browser already has the rows on screen. */
export function ExportDialog({ words, onClose, ...listed }: ExportDialogProps) {
  const file = useFile(listed);
  const count = `${file.count} ${file.count === "1" ? words[0] : words[1]}`;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title={`Export ${words[1]}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {file.href !== null ? (
            <a href={file.href} download onClick={onClose} className={buttonStyle({ variant: "primary" })}>
              Export {count}
            </a>
          ) : (
            <Button
              variant="primary"
              onClick={() => {
                file.save();
                onClose();
              }}
            >
              Export {count}
            </Button>
          )}
        </>
      }
    >
      <Choices file={file} />
    </Dialog>
  );
}

/** A column of the log that the server exports with the bodies. */
const ARGUMENTS = "arguments";

type ListedRows = Omit<ExportDialogProps, "words" | "onClose">;
type ExportFile = ReturnType<typeof useFile>;

/** The selected options of the file, and its content: an address of the server, or rows that the browser has. */
function useFile({ list, apiQuery, columns, rows, idOf, of, selection }: ListedRows) {
  const chosen = selection.all ? [] : rows.filter((row) => selection.has(idOf(row as never)));
  const [what, setWhat] = useState<"all" | "shown" | "chosen">(chosen.length > 0 ? "chosen" : "all");
  const [fields, setFields] = useState<"columns" | "every">(list === "executions" ? "every" : "columns");
  const [wantsBodies, setWantsBodies] = useState(columns.includes(ARGUMENTS));
  const [chosenFormat, setFormat] = useState<(typeof LOG_FORMATS)[number]>("csv");
  const known = Object.keys(rows[0] ?? {});
  // A column that combines fields cannot be exported. An export of every field contains its fields.
  const wanted = fields === "every" ? known : columns.filter((column) => known.includes(column));
  const formats = list === "executions" && what === "all" ? LOG_FORMATS : EXPORT_FORMATS;
  const mayReadBodies = useCan("executions:bodies") && list === "executions" && what === "all";
  const format = formats.find((one) => one === chosenFormat) ?? "csv";
  const counts = {
    all: of === undefined ? "all" : totalText(of),
    shown: rows.length.toLocaleString("en"),
    chosen: chosen.length.toLocaleString("en"),
  };
  const bodies = mayReadBodies && wantsBodies;
  const search = new URLSearchParams({
    ...apiQuery,
    format,
    ...(fields === "columns" && { columns: wanted.filter((column) => column !== ARGUMENTS).join() }),
    ...(bodies && { bodies: "true" }),
  });
  // Only the server writes OCSF, so it is offered only for all matching rows.
  const written: ExportFormat = format === "ocsf" ? "jsonl" : format;
  return {
    what,
    setWhat,
    fields,
    setFields,
    known,
    wanted,
    formats,
    format,
    setFormat,
    mayReadBodies,
    bodies,
    setWantsBodies,
    options: [
      {
        value: "all" as const,
        label: counts.all === "1" ? "The 1 match" : `All ${counts.all} matches`,
      },
      ...(counts.shown === counts.all ? [] : [{ value: "shown" as const, label: `${counts.shown} shown` }]),
      ...(chosen.length > 0 ? [{ value: "chosen" as const, label: `${counts.chosen} selected` }] : []),
    ],
    count: counts[what],
    /** `null` = the browser writes the file. */
    href: what === "all" ? `${addressOf(list)}?${search}` : null,
    save: () => {
      const lines = (what === "shown" ? rows : chosen).map((row) => exportLine(written, wanted, row));
      saveFile(list, written, [exportHead(written, wanted), ...lines]);
    },
  };
}

function Choices({ file }: { file: ExportFile }) {
  const { fields, format, known, wanted } = file;
  const fieldsHint =
    fields === "columns"
      ? `${wanted.length} fields: ${wanted.join(", ")}`
      : `All ${known.length} fields of a row, also those that the list does not show`;
  return (
    <div className="flex flex-col gap-4">
      {file.options.length > 1 && (
        <Field label="Rows" group>
          <Segmented label="Rows" value={file.what} onChange={file.setWhat} options={file.options} />
        </Field>
      )}
      <Field label="Fields" group hint={format === "ocsf" ? "OCSF defines the fields" : fieldsHint}>
        <Segmented
          label="Fields"
          value={fields}
          onChange={file.setFields}
          options={toOptions({ columns: "The columns shown", every: "Every field" })}
        />
      </Field>
      <Field label="Format" group hint={FORMAT_HINTS[format]}>
        <Segmented
          label="Format"
          value={format}
          onChange={file.setFormat}
          options={file.formats.map((value) => ({ value, label: value.toUpperCase() }))}
        />
      </Field>
      {file.mayReadBodies && (
        <Switch
          checked={file.bodies}
          onChange={file.setWantsBodies}
          label="Include arguments and results"
          hint="Masked values stay masked. The audit trail records that you read them"
        />
      )}
    </div>
  );
}

const FORMAT_HINTS = {
  csv: "For spreadsheets. Text that looks like a formula gets an apostrophe",
  jsonl: "One JSON object per line",
  ocsf: "Open Cybersecurity Schema Framework, for log systems",
} as const;

/** The address of the server's export. An export of the log is recorded, with a manifest. */
function addressOf(list: ViewedList): string {
  return list === "executions" ? "/api/admin/executions/export" : `/api/admin/exports/${list}`;
}

function saveFile(list: ViewedList, format: ExportFormat, parts: string[]): void {
  const address = URL.createObjectURL(new Blob(parts, { type: `${EXPORT_TYPES[format]};charset=utf-8` }));
  const download = `${list}-${new Date().toISOString().slice(0, 10)}.${format}`;
  Object.assign(document.createElement("a"), { href: address, download }).click();
  URL.revokeObjectURL(address);
}
