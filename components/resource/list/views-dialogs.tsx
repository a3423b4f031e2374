import { toastFailure } from "@/components/resource/review/toast-failure";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { problemsOf } from "@/components/resource/request";
import { useViewChange, useViews, viewInput } from "@/components/resource/list/use-views";
import { Button, IconButton } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import { Dialog } from "@/components/ui/overlays/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { toast } from "@/components/ui/overlays/toast";
import type { SavedViewRow, ViewedList } from "@/lib/resources/saved-view";

interface SaveViewProps {
  list: ViewedList;
  query: Readonly<Record<string, string>>;
  columns: readonly string[];
  onClose: () => void;
}

/** Saves the present state of the list as a named view. */
export function SaveView({ list, query, columns, onClose }: SaveViewProps) {
  const [name, setName] = useState("");
  const [shared, setShared] = useState(false);
  const change = useViewChange();
  const save = () =>
    change.mutate(
      { does: "create", input: { name, resource: list, query: { ...query }, columns: [...columns], shared } },
      {
        onSuccess: () => {
          toast({ title: `Saved view ${name}` });
          onClose();
        },
      },
    );
  return (
    <ActionDialog
      size="sm"
      title="Save this view"
      description="Saves the filters, sort order and columns under a name."
      action="Save view"
      pending={change.isPending}
      isForm
      onAct={save}
      onClose={onClose}
    >
      <Field label="Name" hint="Letters, digits, “.”, “_” and “-”" error={problemsOf(change.error)[0]?.message}>
        <Input required mono value={name} onChange={(event) => setName(event.target.value)} />
      </Field>
      <Checkbox
        checked={shared}
        onChange={setShared}
        label="Share view"
        hint="Everyone who can read this list sees the view, but only you can change it"
      />
    </ActionDialog>
  );
}

/** Renames, shares and deletes the person's views of a list. Each action is saved at once. */
export function ManageViews({ list, onClose }: { list: ViewedList; onClose: () => void }) {
  const views = useViews(list);
  const mine = (views.data?.items ?? []).filter((view) => view.mine);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="My views of this list"
      description="Changes take effect at once. Only their owners can change shared views."
    >
      {mine.length === 0 ? (
        <EmptyState title={views.isPending ? "Loading…" : "None yet"}>
          Filter and sort the list, then choose “Save this view…”.
        </EmptyState>
      ) : (
        <ul className="flex flex-col divide-y divide-line">
          {mine.map((view) => (
            <ManagedView key={view.name} view={view} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function ManagedView({ view }: { view: SavedViewRow }) {
  const [name, setName] = useState(view.name);
  const change = useViewChange();
  const replace = (fields: Partial<SavedViewRow>) =>
    change.mutate({ does: "replace", view, input: viewInput({ ...view, ...fields }) });
  const again = useViewChange();
  // The row is removed from the dialog before the request ends, so its own callbacks would not run.
  const undo = () =>
    void again
      .mutateAsync({ does: "create", input: viewInput(view) })
      .catch((error: unknown) => toastFailure("The view was not restored", error));
  const remove = () =>
    change.mutate({ does: "delete", view }, { onSuccess: () => toast({ title: `Deleted view ${view.name}`, undo }) });
  const error = problemsOf(change.error)[0]?.message;
  return (
    <li className="flex items-start gap-3 py-2">
      <form
        className="flex min-w-0 flex-1 items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          replace({ name });
        }}
      >
        <Field label={`Name of ${view.name}`} hideLabel error={error} className="flex-1">
          <Input required mono value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
        {name !== view.name && (
          <Button type="submit" pending={change.isPending}>
            Rename
          </Button>
        )}
      </form>
      <Checkbox checked={view.shared} onChange={(shared) => replace({ shared })} label="Shared" className="mt-1.5" />
      <IconButton icon={Trash2} label={`Delete view ${view.name}`} onClick={remove} className="mt-0.5" />
    </li>
  );
}
