import { lazyPart } from "@/components/ui/lazy-part";
import type { ToastInput } from "@/components/ui/overlays/toast-list";
import { useInBrowser } from "@/components/ui/use-in-browser";

const load = () => import("@/components/ui/overlays/toast-list");
const ToastList = lazyPart(async () => (await load()).ToastList);

/** Shows a short message. An error stays until a person closes it. */
export function toast(input: ToastInput): void {
  void load().then(({ addToast }) => addToast(input));
}

/** Shows the toasts. The app renders it once, and its code loads after the page. */
export function Toasts() {
  return useInBrowser() ? <ToastList /> : null;
}
