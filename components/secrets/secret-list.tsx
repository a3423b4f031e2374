import { Plus } from "lucide-react";
import { useState } from "react";
import { useKey } from "@/components/keyboard/use-key";
import { List } from "@/components/resource/list/list";
import { NAME_COLUMN, timeColumn } from "@/components/resource/columns";
import type { Chip, Column, Filter } from "@/components/resource/view";
import { useCan } from "@/components/resource/who";
import { Origins, SecretName, Uses } from "@/components/secrets/secret-words";
import { SetSecret } from "@/components/secrets/set-secret";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import type { SecretRow } from "@/lib/resources/secret";

const Peek = lazyPart(async () => (await import("@/components/secrets/secret-view")).SecretPeek);

const COLUMNS: readonly Column<SecretRow>[] = [
  {
    ...NAME_COLUMN,
    fields: ["name", "readable"],
    cell: (row) => <SecretName secret={row} />,
  },
  {
    id: "usedBy",
    header: "Used by",
    cell: ({ usedBy }) => (
      <span className="relative z-1 whitespace-nowrap">
        <Uses sources={usedBy} />
      </span>
    ),
  },
  { id: "origins", header: "Sent to", className: "w-full", cell: ({ origins }) => <Origins origins={origins} /> },
  timeColumn("setAt", "Set", { sorts: true }),
  timeColumn("lastUsedAt", "Last used"),
];

const FILTERS: readonly Filter[] = [];
const CHIPS: readonly Chip[] = [{ key: "origin", label: "Sent to", example: "https://api.example.com" }];

/** The secrets of sources: which sources use each, when it was set and last used; never a value. */
export function SecretList() {
  const mayWrite = useCan("secrets:write");
  return (
    <List<SecretRow>
      list="secrets"
      words={["secret", "secrets"]}
      columns={COLUMNS}
      idOf={(row) => row.name}
      filters={FILTERS}
      chips={CHIPS}
      sort="name"
      exports
      begin={mayWrite ? <NewSecret /> : undefined}
      renderPeek={(id, onClose) => <Peek name={id} onClose={onClose} />}
    />
  );
}

function NewSecret() {
  const [open, setOpen] = useState(false);
  useKey("create", () => setOpen(true));
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden /> New secret
      </Button>
      {open && <SetSecret secret={null} onClose={() => setOpen(false)} />}
    </>
  );
}
