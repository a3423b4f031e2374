import { AppError } from "@/lib/errors";
import { KINDS } from "@/lib/resources/kinds";
import { can, type Role } from "@/lib/resources/permissions";
import { settingsInput, type SettingsInput } from "@/lib/resources/settings";
import { db } from "@/lib/store/db/database";
import type { Connection } from "@/lib/store/config/tables";
import type { RowPlan, Warning } from "@/lib/contracts/changes/row-plan";
import { planRow } from "@/lib/store/save/row-plan";
import type { Stored } from "@/lib/store/save/stored";
import { writeAndRead, type Actor, type Change } from "@/lib/store/save/write";

/** The settings in force and the revision that last changed them; 0 = defaults, never changed. */
export interface VersionedSettings {
  readonly settings: SettingsInput;
  readonly version: number;
}

/** The installation's settings. @throws AppError `config_unavailable` when the stored settings cannot be parsed */
export async function readSettings(connection: Connection = db()): Promise<VersionedSettings> {
  const row = await connection.settings.findUnique({ where: { name: "settings" } });
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
  return writeAndRead(actor, replacing(settings, ifMatch), (tx) => readSettings(tx));
}

/** What `saveSettings` would do, without saving. @throws AppError `stale` with the current settings */
export async function planSettings(actor: Actor, settings: SettingsInput, ifMatch: number): Promise<RowPlan> {
  const plan = await planRow(actor, "settings", replacing(settings, ifMatch));
  if (plan.errors.length > 0) return plan;
  const { settings: stored } = await readSettings();
  return { ...plan, warnings: [...plan.warnings, ...(await reviewWarnings(stored.review, settings.review))] };
}

/** What it means that reviews begin or end. A change between two kinds of reviews has no warning. */
async function reviewWarnings(before: SettingsInput["review"], after: SettingsInput["review"]): Promise<Warning[]> {
  const [was, is] = [before.changes, after.changes];
  if ((was === "off") === (is === "off")) return [];
  if (is === "off") return [REVIEWS_END];
  const people = await db().user.findMany({ where: { enabled: true }, select: { role: true } });
  const reviewers = people.filter(({ role }) => can(role as Role, "changes:approve"));
  const admins = reviewers.filter(({ role }) => role === "admin").length;
  return [reviewsBegin(is, reviewers.length, admins), ...(admins > 1 ? [] : [ONLY_ADMIN])];
}

const REVIEWS_END: Warning = {
  path: "review.changes",
  message:
    "From this save on, changes of the configuration no longer wait for a second person: each person's change is in force at once.",
};

/** The people are at least two: with fewer, the plan is an error. */
function reviewsBegin(mode: "widening" | "all", reviewers: number, admins: number): Warning {
  const waiting = mode === "all" ? "every change" : "a change that lets somebody see or call more";
  const message = `From this save on, ${waiting} waits until a second person approves it. Pausing, disabling and revoking never wait. ${reviewers} people may approve changes, ${admins === reviewers ? "all" : `${admins} of them`} with the role admin. Nobody approves their own change.`;
  return { path: "review.changes", message };
}

/** The kinds of rows that editors may not write, so that only admins answer requests about them. */
const ONLY_ADMINS_APPROVE = [
  "settings",
  "secrets",
  "pauses",
  ...Object.values(KINDS).flatMap(({ write: permission, words }) => (can("editor", permission) ? [] : [words[1]])),
].join(", ");

/** Nobody answers their own request. */
const ONLY_ADMIN: Warning = {
  path: "review.changes",
  message: `There is only one admin, and only admins approve changes of these: ${ONLY_ADMINS_APPROVE}. Nobody can then approve what this admin changes there. Reviews can then be switched off only by the command \`quartermaster review off\` on the server. Add a second admin first.`,
};

function replacing(settings: SettingsInput, ifMatch: number): (stored: Stored) => Promise<Change[]> {
  return async (stored) => {
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
  };
}
