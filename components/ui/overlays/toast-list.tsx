import { Toast } from "@base-ui/react/toast";
import { CircleAlert, CircleCheck, X } from "lucide-react";
import { cn } from "@/components/ui/cn";
import { IconButton } from "@/components/ui/button";
import { WithCode } from "@/components/ui/json/with-code";

export interface ToastInput {
  title: string;
  /** Text between backticks becomes code. */
  description?: string | undefined;
  /** `failed` stays until it is closed; `warned` names a problem of what was done. */
  tone?: "done" | "warned" | "failed" | undefined;
  /** Offers "Undo" for eight seconds, once. */
  undo?: (() => void) | undefined;
  /** Offers to open the page that shows the effect, for eight seconds. */
  next?: { readonly label: string; readonly open: () => void } | undefined;
}

/** How long a toast is shown; 0 = until it is closed. */
const TIMEOUT_MS = { done: 4000, warned: 8000, failed: 0 } as const;

const manager = Toast.createToastManager();

/** The toasts of failures that are open. */
let failures: readonly string[] = [];

/** Adds a toast to the list. A success closes the earlier failures: the person has acted again. */
export function addToast({ title, description, tone = "done", undo, next }: ToastInput): void {
  const action = undo === undefined ? next : { label: "Undo", open: undo };
  let isTaken = false;
  const act = () => {
    if (isTaken) return;
    isTaken = true;
    manager.close(id);
    action?.open();
  };
  const id = manager.add({
    title,
    type: tone,
    timeout: TIMEOUT_MS[tone === "done" && action !== undefined ? "warned" : tone],
    priority: tone === "done" ? "low" : "high",
    ...(description !== undefined && { description: <WithCode text={description} /> }),
    ...(action !== undefined && { actionProps: { children: action.label, onClick: act } }),
  });
  if (tone === "failed") failures = [...failures, id];
  if (tone !== "done") return;
  for (const failure of failures) manager.close(failure);
  failures = [];
}

/** The toasts in their corner. */
export function ToastList() {
  return (
    <Toast.Provider toastManager={manager} limit={3}>
      <Toast.Portal>
        {/* Above the buttons of a bar at the end of the page, which has two rows on a phone. */}
        <Toast.Viewport className="fixed right-4 bottom-4 z-60 flex w-80 max-w-[calc(100vw-2rem)] flex-col gap-2 in-[body:has([data-bottom-bar]:not([hidden],[hidden]_*))]:bottom-16 max-sm:in-[body:has([data-bottom-bar]:not([hidden],[hidden]_*))]:bottom-28">
          <Items />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Items() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((item) => (
    <Toast.Root data-toast key={item.id} toast={item} className="popup flex items-start gap-2 p-3 data-limited:hidden">
      {item.type !== "done" ? (
        <CircleAlert
          aria-hidden
          className={cn("mt-0.5 size-4 shrink-0", item.type === "failed" ? "text-deny" : "text-warn")}
        />
      ) : (
        <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-allow" />
      )}
      <Toast.Content className="min-w-0 flex-1">
        <Toast.Title render={<p />} className="text-sm font-medium break-words" />
        <Toast.Description className="mt-0.5 text-xs break-words text-muted" />
      </Toast.Content>
      <Toast.Action className="rounded-md px-1.5 py-0.5 text-sm font-medium text-accent hover:bg-hover" />
      <Toast.Close render={<IconButton icon={X} label="Dismiss" className="-m-1" />} />
    </Toast.Root>
  ));
}
