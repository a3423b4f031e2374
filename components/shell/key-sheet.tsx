import { Keyboard } from "lucide-react";
import { useEffect, useEffectEvent, useRef } from "react";
import { SEQUENCE_MS } from "@/components/keyboard/keys";
import { useKey } from "@/components/keyboard/use-key";
import { useFocusKey } from "@/components/keyboard/use-focus-key";
import { useGo } from "@/components/resource/go";
import { NAVIGATION } from "@/components/shell/navigation";
import { IconButton } from "@/components/ui/button";
import { isTyping } from "@/components/ui/forms/is-typing";
import { lazyPart } from "@/components/ui/lazy-part";
import { can, type Role } from "@/lib/resources/permissions";

const KeyList = lazyPart(async () => (await import("@/components/shell/key-list")).KeyList);

interface KeySheetProps {
  role: Role;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The keys that work everywhere: `?` shows them, `g` and a letter goes somewhere, `t` to the tabs of the page. */
export function KeySheet({ role, open, onOpenChange }: KeySheetProps) {
  const go = useGo();
  const afterG = useRef(-SEQUENCE_MS);
  useKey("sheet", () => onOpenChange(true));
  useFocusKey("tabs", () => document.querySelector("main [role=tablist]"));

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const armed = event.timeStamp - afterG.current < SEQUENCE_MS;
    afterG.current = event.key === "g" ? event.timeStamp : -SEQUENCE_MS;
    const place = armed ? placeOf(event.key) : undefined;
    if (place === undefined || !can(role, place.permission)) return;
    event.preventDefault();
    event.stopPropagation(); // After `g` a letter is a place, not what it is on its own.
    go(place.href);
  });
  useEffect(() => {
    document.addEventListener("keydown", onKey, true);
    return () => document.removeEventListener("keydown", onKey, true);
  }, []);

  return (
    <>
      <IconButton
        icon={Keyboard}
        className="max-sm:hidden"
        label="Keyboard shortcuts"
        title="Keyboard shortcuts"
        onClick={() => onOpenChange(true)}
      />
      {open && <KeyList role={role} onClose={() => onOpenChange(false)} />}
    </>
  );
}

function placeOf(key: string) {
  return NAVIGATION.flatMap((section) => section.entries).find((entry) => entry.key === key);
}
