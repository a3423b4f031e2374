import type { ReactNode } from "react";
import { keyLabels, KEYS } from "@/components/keyboard/keys";
import { NAVIGATION } from "@/components/shell/navigation";
import { Dialog } from "@/components/ui/overlays/dialog";
import { Kbd } from "@/components/ui/kbd";
import { TextLink } from "@/components/ui/text-link";
import { can, type Role } from "@/lib/resources/permissions";

const COLUMN = "grid auto-rows-min grid-cols-[auto_1fr] items-center gap-x-5 gap-y-2 text-sm";

/** Every key that works on a page, for this role. */
export function KeyList({ role, onClose }: { role: Role; onClose: () => void }) {
  const places = NAVIGATION.flatMap((section) => section.entries).filter(
    (entry) => entry.key !== undefined && can(role, entry.permission),
  );
  const half = Math.ceil(places.length / 2);
  return (
    <Dialog open onOpenChange={onClose} size="lg" title="Keyboard shortcuts">
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-3">
        <dl className={COLUMN}>
          {Object.values(KEYS).map((key) => (
            <Keys key={key.description} keys={keyLabels(key)}>
              {key.description}
            </Keys>
          ))}
        </dl>
        {[places.slice(0, half), places.slice(half)].map((some) => (
          <dl key={some[0]?.href} className={COLUMN}>
            {some.map((place) => (
              <Keys key={place.href} keys={["g", place.key ?? ""]}>
                {place.label}
              </Keys>
            ))}
          </dl>
        ))}
      </div>
      <p className="mt-4 border-t border-line pt-3 text-sm text-muted">
        To use Quartermaster from a program, see{" "}
        <TextLink href="/docs" target="_blank">
          the API
        </TextLink>
        .
      </p>
    </Dialog>
  );
}

function Keys({ keys, children }: { keys: readonly string[]; children: ReactNode }) {
  return (
    <>
      <dt className="flex gap-1">
        {keys.map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </dt>
      <dd>{children}</dd>
    </>
  );
}
