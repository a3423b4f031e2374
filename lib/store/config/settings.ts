import { AppError } from "@/lib/errors";
import { settingsInput, type SettingsInput } from "@/lib/resources/settings";
import { db } from "@/lib/store/db/database";
import { write, type Actor } from "@/lib/store/save/write";

/** The settings in force and the revision that last changed them; 0 = defaults, never changed. */
export interface VersionedSettings {
  readonly settings: SettingsInput;
  readonly version: number;
}

/** The installation's settings. @throws AppError `config_unavailable` when the stored settings cannot be parsed */
export async function readSettings(): Promise<VersionedSettings> {
  const row = await db().settings.findUnique({ where: { name: "settings" } });
  if (row === null) return { settings: settingsInput.parse({}), version: 0 };
  const parsed = settingsInput.safeParse(row.value);
  if (!parsed.success)
    throw new AppError("config_unavailable", "The stored settings cannot be read.", { cause: parsed.error });
  return { settings: parsed.data, version: row.revision };
}

/**
 * Replaces the whole settings.
 *
 * @param ifMatch the version that the change is based on
 * @throws AppError `stale` with the current settings, `invalid_request` for unknown groups
 */
export async function saveSettings(actor: Actor, settings: SettingsInput, ifMatch: number): Promise<VersionedSettings> {
  await write(actor, async (stored) => {
    const row = await stored.get("settings", "settings");
    const version = row?.revision ?? 0;
    if (version !== ifMatch)
      throw new AppError("stale", "The settings have changed since.", {
        extra: { current: { settings: row?.value ?? settingsInput.parse({}), version } },
      });
    const after = { name: "settings", value: settings } as const;
    return row === null
      ? [{ resource: "settings", action: "create", after }]
      : [{ resource: "settings", action: "update", id: "settings", after }];
  });
  return readSettings();
}
