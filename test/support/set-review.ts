import type { ReviewMode } from "@/lib/resources/parts/words";
import { settingsInput } from "@/lib/resources/settings";
import { write, type Actor } from "@/lib/store/save/write";

const PROGRAM: Actor = { kind: "system", name: "test", role: "admin" };

/** Saves settings with this mode of reviews, and all others at their defaults. */
export function setReview(changes: ReviewMode, others: object = {}): Promise<unknown> {
  const value = settingsInput.parse({ ...others, review: { changes } });
  return write(PROGRAM, async (stored) => {
    const after = { name: "settings", value } as const;
    return (await stored.get("settings", "settings")) === null
      ? [{ resource: "settings", action: "create", after }]
      : [{ resource: "settings", action: "update", id: "settings", after }];
  });
}
